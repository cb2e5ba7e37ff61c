/** The threads that read pages. */
import { orInThread } from "../../lib/threads/in-thread.js";
import { threadOptions } from "../../lib/threads/thread-options.js";
import { Worker } from "../../lib/threads/threads.js";
import { createWorkerPool, type WorkerPool } from "../../lib/threads/worker-pool.js";
import type { Article, ArticleTask } from "./article.js";

const NAME = "reading pages";
const MAX_QUEUED = 512;

export function openReading(): WorkerPool<ArticleTask, Article> {
  const pool = createWorkerPool<ArticleTask, Article>({
    name: NAME,
    start: () => new Worker(new URL("./worker.js", import.meta.url), threadOptions()),
    size: 2,
    maxQueued: MAX_QUEUED,
  });
  return orInThread(pool, {
    name: NAME,
    load: async () => (await import("./article.js")).readArticle,
    maxQueued: MAX_QUEUED,
  });
}
