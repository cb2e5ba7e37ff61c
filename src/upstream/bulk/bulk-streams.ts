/** Stages of a download on its way to the disk. */
import { Transform } from "node:stream";
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";

const REPORT_EVERY_BYTES = 5 * 1024 * 1024;

/** Ends a download that exceeds the plausible size of the file. */
export function limitBytes(maxBytes: number, name: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) done(new CapabilityError("UPSTREAM_ERROR", `${name} is larger than ${maxBytes} bytes.`));
      else done(null, chunk);
    },
  });
}

/** Facts of the log lines about a download, by which a terminal shows how far it is. */
export interface DownloadProgress {
  download: "running" | "done";
  file: string;
  /** Bytes so far. */
  bytes: number;
}

/** Logs the progress of a long download. */
export function reportProgress(logger: Logger, name: string): Transform {
  let bytes = 0;
  let reported = 0;
  const facts = (download: DownloadProgress["download"]): DownloadProgress => ({ download, file: name, bytes });
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes - reported >= REPORT_EVERY_BYTES) {
        reported = bytes;
        logger.info(facts("running"), "bulk: downloading");
      }
      done(null, chunk);
    },
    flush(done) {
      logger.info(facts("done"), "bulk: downloaded");
      done();
    },
  });
}
