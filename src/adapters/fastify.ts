import type { FastifyPluginAsync } from "fastify";
import type { ProxyOptions } from "./forwarded.js";
import type { MountableHandler, MountOptions } from "./mount.js";
import { node } from "./node/index.js";

export interface FastifyOptions extends ProxyOptions, Pick<MountOptions, "root"> {}

/**
 * A plugin for Fastify 5 and 4: `app.register(fastify(handle))`. It takes what lies below the handler's base path, except where the
 * app has a route of its own. The app's body parsers stay with its own routes: here the handler reads bodies itself, with
 * its own limit. Give the app `http: { maxHeaderSize: 65536 }`, or a long text in a query is refused with 431.
 */
export function fastify(handle: MountableHandler, options: FastifyOptions = {}): FastifyPluginAsync {
  const answer = node(handle, options);
  return async (app) => {
    // Within a plugin these are the plugin's own.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const path of [`${handle.basePath}/*`, ...(options.root ? (handle.rootPaths ?? []) : [])])
      app.all(path, (request, reply) => {
        reply.hijack();
        void answer(request.raw, reply.raw);
      });
  };
}
