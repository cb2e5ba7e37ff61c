/** Bounds that PDF.js lacks, put into its code while it is built in: what stood there, and what stands there then. */

/** Where graphics states are kept. Each is made with the one before as its prototype: what reads them takes as long as they are deep. */
const STATES = [
  `  save() {
    const old = this.state;
    this.stateStack.push(this.state);
    this.state = old.clone();
  }
  restore() {
    const prev = this.stateStack.pop();`,
  `  save() {
    if (this.stateStack.length >= 1000) {
      this.deeper = (this.deeper ?? 0) + 1;
      return;
    }
    const old = this.state;
    this.stateStack.push(this.state);
    this.state = old.clone();
  }
  restore() {
    if (this.deeper > 0) {
      this.deeper--;
      return;
    }
    const prev = this.stateStack.pop();`,
];

/** Where streams are unpacked: memory that no limit of a thread counts. */
const STREAMS = [
  `    while (size < requested) {
      size *= 2;
    }
    const buffer2 = new Uint8Array(size);`,
  `    while (size < requested) {
      size *= 2;
    }
    if (size > 0x8000000) {
      throw new RangeError("Array buffer allocation failed: a stream unpacks to more than 128 MB");
    }
    const buffer2 = new Uint8Array(size);`,
];

/** Where streams are unpacked by the platform: the way of most, taken before the one above. */
const PLATFORM_STREAMS = [
  `        totalLength += chunk.byteLength;
      }`,
  `        totalLength += chunk.byteLength;
        if (totalLength > 0x8000000) {
          throw new RangeError("Array buffer allocation failed: a stream unpacks to more than 128 MB");
        }
      }`,
];

/** A stream that is too long is not unpacked a second time. */
const SECOND_TRY = [
  `    } catch {
      this.#isAsync = false;`,
  `    } catch (error) {
      if (error instanceof RangeError) {
        throw error;
      }
      this.#isAsync = false;`,
];

/**
 * Where pages are fetched ahead. The walk may end before it comes to one, and a rejection that nobody waits for ends the process
 * of a bundle, which reads documents without a thread.
 */
const AHEAD = [
  `          pageDictCache.put(lastKid, xref.fetchAsync(lastKid));`,
  `          const ahead = xref.fetchAsync(lastKid);
          ahead.catch(() => {});
          pageDictCache.put(lastKid, ahead);`,
];

/** Of the worker's code. */
export const BOUNDS = [STATES, STREAMS, PLATFORM_STREAMS, SECOND_TRY, AHEAD];
