/** The way in: a key of the account, or a wallet's signature, which opens a session of half an hour. */
import { h, put } from "../shared/dom.js";
import { checksummed } from "../wallets/checksum.js";
import { enter, host, Refused, sent, textOfError } from "./ask.js";

interface Offer {
  info: Record<string, string>;
  supportedChains: { chainId: string; type: string }[];
}

/** EIP-4361, as the service reads it. */
const textOf = (info: Offer["info"], address: string, chain: string): string =>
  [
    `${info.domain} wants you to sign in with your Ethereum account:`,
    checksummed(address),
    "",
    info.statement,
    "",
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${Number(chain.split(":")[1])}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
  ].join("\n");

const base64Of = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** Asks the wallet to sign in. Resolves to the session. */
async function session(): Promise<string> {
  const wallet = window.ethereum;
  if (!wallet) throw new Error("This browser has no wallet.");
  const [address] = (await wallet.request({ method: "eth_requestAccounts" })) as string[];
  if (!address) throw new Error("The wallet shows no account.");
  enter("");
  const refusal = await sent("POST", "session", {});
  const { extensions } = (await refusal.json()) as { extensions?: { "sign-in-with-x"?: Offer } };
  const offer = extensions?.["sign-in-with-x"];
  const chain = offer?.supportedChains.find(({ chainId }) => chainId.startsWith("eip155:"));
  if (!offer || !chain) throw new Error("Wallets of this browser cannot sign in here.");
  const { info } = offer;
  // A page that another one shows would have a wallet sign for that.
  if (info.domain !== location.host) throw new Error(`This service is at ${info.domain}: open its page there.`);
  const text = textOf(info, address, chain.chainId);
  const signature = await wallet.request({ method: "personal_sign", params: [hexOf(text), address] });
  const proof = { ...info, ...chain, address, signature };
  const answer = await sent("POST", "session", {}, { "sign-in-with-x": base64Of(JSON.stringify(proof)) });
  const told = (await answer.json()) as { session?: string; detail?: string };
  if (!told.session) throw new Refused(told.detail ?? "The service did not take it.", answer.status);
  return told.session;
}

/** `open` is called once the account can be asked about; it rejects with the refusal. */
export function signInView(open: () => Promise<void>): HTMLElement {
  const issue = h("p", { class: "issue", role: "alert" });
  const field = h("input", { type: "password", id: "key", autocomplete: "off", spellcheck: "false" });
  const attempt = async (token: () => Promise<string>) => {
    put(issue);
    try {
      enter(await token());
      await open();
    } catch (error) {
      enter("");
      put(issue, textOfError(error));
    }
  };
  const byKey = (event: Event) => {
    event.preventDefault();
    const key = field.value.trim();
    if (key !== "") void attempt(async () => key);
  };
  const wallet =
    host.ownSignIn &&
    h(
      "section",
      { "aria-labelledby": "by-wallet" },
      h("h2", { id: "by-wallet" }, "With your wallet"),
      h("p", {}, "The wallet that bought the balance signs a text; nothing is paid. It stays open for half an hour."),
      h("button", { type: "button", onclick: () => void attempt(session) }, "Sign in with a wallet"),
    );
  return h(
    "article",
    { class: "paywall account" },
    h("h1", { tabindex: -1 }, "Your account"),
    h("p", { class: "lead" }, `Balance, use, statement and keys of your account at ${host.name}.`),
    host.accountKeys &&
      h(
        "form",
        { onsubmit: byKey, "aria-labelledby": "by-key" },
        h("h2", { id: "by-key" }, "With a key"),
        h("p", {}, "A key stays in this page, is stored nowhere, and is gone when you leave it."),
        h("p", {}, h("label", { for: "key" }, "Key of your account "), field),
        h("button", { type: "submit", class: "primary" }, "Open the account"),
      ),
    wallet,
    issue,
  );
}
