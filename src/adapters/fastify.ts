import type { FastifyPluginAsync } from "fastify";
import { listenerBelow } from "./node/listener.js";
import type { ProxyOptions } from "./shared/forwarded.js";
import { depthOf, firstSegments, isInFront, type MountableHandler, type MountOptions } from "./shared/mount.js";
import { assertMountable, fastifyOptions } from "./shared/option-checks.js";

export interface FastifyOptions extends ProxyOptions, Pick<MountOptions, "root"> {}

/**
 * A plugin for Fastify 5 and 4. It serves the paths below the handler's base path, except those where the app has its
 * own route; registered with a prefix, those below both: `/v1/api/convert/unit`. The app's body parsers apply to its own routes only; the handler reads bodies itself, with its own limit.
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
  const answer = listenerBelow(handle, proxies);
  return async (app) => {
    const prefix = app.prefix.replace(/\/$/, "");
    const depth = isInFront(prefix, handle) ? depthOf(prefix) : 0;
    // The base path may name the prefix itself, which Fastify puts in front of every route here.
    const below = depth > 0 ? handle.basePath : handle.basePath.slice(prefix.length);
    if (root && depth === 0 && prefix !== "")
      throw new TypeError(
        `fastify options.root: the documents of the root cannot be served below the prefix ${prefix}. Register the plugin without a prefix, since the base path ${handle.basePath} has it already, or leave root out.`,
      );
    // Within a plugin this affects only the plugin's own routes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const path of [`${below}/*`, ...(root ? (handle.rootPaths ?? []) : [])])
      app.all(path, (request, reply) => {
        reply.hijack();
        void answer(request.raw, reply.raw, firstSegments(request.raw.url ?? "", depth));
      });
  };
}
