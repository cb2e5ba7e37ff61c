/** `?sign=1`: the answer is signed with the host's key. */
import { invalid } from "../errors.js";
import { signAnswer } from "../signing/http-signature.js";
import { type Call, publicPrefix } from "./call.js";
import { type AnyResponse, toResponse } from "./http/exchange.js";

const asked = ({ url }: Call): string[] => (url.search === "" ? [] : url.searchParams.getAll("sign"));

/** Refuses `?sign=1` without a key before payment, because the caller relies on a signature. Throws INVALID_INPUT. */
export function assertSignable(call: Call): void {
  const values = asked(call);
  if (values.length === 0) return;
  if (values.some((value) => value !== "1")) throw invalid("sign", "must be 1, the only value it takes");
  if (!call.host.signer) throw invalid("sign", "is not possible: this service signs no answers; leave it out");
}

/** The answer, signed if its caller asked for that. */
export async function signed(call: Call, answer: AnyResponse): Promise<AnyResponse> {
  const { host, request, url } = call;
  const wanted = host.signer !== undefined && call.event.id !== undefined && asked(call).includes("1");
  if (!wanted || !host.signer || request.method === "HEAD" || answer.status === 204) return answer;
  return signAnswer(host.signer, toResponse(answer), {
    path: publicPrefix(call) + url.pathname,
    created: Math.floor(host.now() / 1000),
  });
}
