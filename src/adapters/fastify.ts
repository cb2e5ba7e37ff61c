import type { FastifyPluginAsync } from "fastify";
import type { ProxyOptions } from "./forwarded.js";
import type { MountableHandler, MountOptions } from "./mount.js";
import { node } from "./node/index.js";
import { assertMountable, fastifyOptions } from "./option-checks.js";

export interface FastifyOptions extends ProxyOptions, Pick<MountOptions, "root"> {}

/**
 * A plugin for Fastify 5 and 4. It serves the paths below the handler's base path, except those where the app has its
 * own route. The app's body parsers apply to its own routes only; the handler reads bodies itself, with its own limit.
 * Give the app `http: { maxHeaderSize: 65536 }`, or a long text in a query is refused with 431.
 *
 * @example
 * ```ts
 * const app = createFastify({ http: { maxHeaderSize: 65_536 } });
 * await app.register(fastify(handle));
 * await app.listen({ port: 8402 });
 * ```
 */
export function fastify(handle: MountableHandler, options: FastifyOptions = {}): FastifyPluginAsync {
  assertMountable("fastify", handle);
  fastifyOptions("fastify options", options);
  const { root = false, ...proxies } = options;
  const answer = node(handle, proxies);
  return async (app) => {
    // Within a plugin this affects only the plugin's own routes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const path of [`${handle.basePath}/*`, ...(root ? (handle.rootPaths ?? []) : [])])
      app.all(path, (request, reply) => {
        reply.hijack();
        void answer(request.raw, reply.raw);
      });
  };
}
