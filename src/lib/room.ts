/** A room in memory, of which each caller has a share at most, and which the greediest leaves first. */

export interface RoomOptions {
  most: number;
  /** For one caller. Callers without a name have no bound of their own, because they may be many. */
  mostOfOne: number;
}

export interface Share {
  /** Takes more of the room. If there is none left, a share of the caller with most of it is put out, perhaps this one. */
  grow(bytes: number): void;
  leave(): void;
}

export interface Room {
  /** `putOut` is called when the share has to go; it holds nothing from then on. */
  enter(caller: string | undefined, putOut: () => void): Share;
}

interface Held {
  bytes: number;
  putOut(): void;
}

export function createRoom({ most, mostOfOne }: RoomOptions): Room {
  const callers = new Map<string | undefined, { bytes: number; shares: Set<Held> }>();
  let total = 0;

  function remove(caller: string | undefined, share: Held): void {
    const own = callers.get(caller);
    if (!own?.shares.delete(share)) return;
    own.bytes -= share.bytes;
    total -= share.bytes;
    if (own.shares.size === 0) callers.delete(caller);
  }

  /** Of a caller's shares, the one that was silent for the longest time goes first; false if it has none but the last. */
  function putOutOne(caller: string | undefined, isLastToo: boolean): boolean {
    const holding = [...(callers.get(caller)?.shares ?? [])].filter(({ bytes }) => bytes > 0);
    const [silent] = holding;
    if (!silent || (holding.length === 1 && !isLastToo)) return false;
    remove(caller, silent);
    silent.putOut();
    return true;
  }

  const greediest = () => [...callers].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));

  function makeRoom(): void {
    while (total > most) {
      const [caller, { bytes }] = greediest();
      // A share that is larger than the whole room stays while it is alone.
      if (!putOutOne(caller, bytes < total)) return;
    }
  }

  return {
    enter(caller, putOut) {
      const share: Held = { bytes: 0, putOut };
      const own = callers.get(caller) ?? { bytes: 0, shares: new Set() };
      own.shares.add(share);
      callers.set(caller, own);
      return {
        grow(bytes) {
          // The last to be heard of is the last of its caller to go.
          if (!own.shares.delete(share)) return;
          own.shares.add(share);
          share.bytes += bytes;
          own.bytes += bytes;
          total += bytes;
          // guard: uploads: those of one network hold so much | never | uploads
          while (caller !== undefined && own.bytes > mostOfOne && putOutOne(caller, false));
          makeRoom();
        },
        leave: () => remove(caller, share),
      };
    },
  };
}
