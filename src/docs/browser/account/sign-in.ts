/** The way in: a key of the account, or a wallet's signature, which opens a session of half an hour. */
import { h, put } from "../shared/dom.js";
import { checksummed } from "../wallets/checksum.js";
import { addressOf } from "../wallets/solana-address.js";
import { type SolanaSigner, solanaSigners, whenWalletsChange } from "../wallets/standard.js";
import { enter, host, Refused, sent, textOfError } from "./ask.js";

interface Offer {
  info: Record<string, string>;
  supportedChains: { chainId: string; type: string }[];
}

interface Signer {
  kind: "Ethereum" | "Solana";
  /** How networks of its kind begin. */
  family: string;
  /** The account as it stands in the text. */
  address: string;
  sign(text: string): Promise<string>;
}

/** EIP-4361, as the service reads it. */
const textOf = (info: Offer["info"], { kind, address }: Signer, chain: string): string =>
  [
    `${info.domain} wants you to sign in with your ${kind} account:`,
    address,
    "",
    info.statement,
    "",
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${chain.split(":")[1]}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
  ].join("\n");

const base64Of = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);

async function ethereum(): Promise<Signer> {
  const wallet = window.ethereum;
  if (!wallet) throw new Error("This browser has no wallet.");
  const [account] = (await wallet.request({ method: "eth_requestAccounts" })) as string[];
  if (!account) throw new Error("The wallet shows no account.");
  return {
    ...{ kind: "Ethereum", family: "eip155:", address: checksummed(account) },
    sign: async (text) => (await wallet.request({ method: "personal_sign", params: [hexOf(text), account] })) as string,
  };
}

async function solana({ name, features }: SolanaSigner): Promise<Signer> {
  const { accounts } = await features["standard:connect"].connect();
  const account = accounts.find(({ chains }) => !chains || chains.some((chain) => chain.startsWith("solana:")));
  if (!account) throw new Error("The wallet shows no account.");
  return {
    ...{ kind: "Solana", family: "solana:", address: account.address },
    async sign(text) {
      const message = new TextEncoder().encode(text);
      const [signed] = await features["solana:signMessage"].signMessage({ account, message });
      if (!signed) throw new Error(`${name} signed nothing.`);
      // The service reads the text that it offered, not one that a wallet made of it.
      if (!isSame(signed.signedMessage, message)) throw new Error(`${name} signed another text.`);
      return addressOf(signed.signature);
    },
  };
}

/** Asks the wallet to sign in. Resolves to the session. */
async function session(connect: () => Promise<Signer>): Promise<string> {
  const signer = await connect();
  enter("");
  const refusal = await sent("POST", "session", {});
  const { extensions } = (await refusal.json()) as { extensions?: { "sign-in-with-x"?: Offer } };
  const offer = extensions?.["sign-in-with-x"];
  const chain = offer?.supportedChains.find(({ chainId }) => chainId.startsWith(signer.family));
  if (!offer || !chain) throw new Error("Wallets of this browser cannot sign in here.");
  const { info } = offer;
  // A page that another one shows would have a wallet sign for that.
  if (info.domain !== location.host) throw new Error(`This service is at ${info.domain}: open its page there.`);
  const signature = await signer.sign(textOf(info, signer, chain.chainId));
  const proof = { ...info, ...chain, address: signer.address, signature };
  const answer = await sent("POST", "session", {}, { "sign-in-with-x": base64Of(JSON.stringify(proof)) });
  const told = (await answer.json()) as { session?: string; detail?: string };
  if (!told.session) throw new Refused(told.detail ?? "The service did not take it.", answer.status);
  return told.session;
}

/** A button for each wallet; those of Solana may come later than the page. */
function walletButtons(attempt: (token: () => Promise<string>) => Promise<void>): HTMLElement {
  const list = h("div", { class: "actions" });
  const button = (text: string, connect: () => Promise<Signer>) =>
    h("button", { type: "button", onclick: () => void attempt(() => session(connect)) }, text);
  const show = () => {
    const signers = host.solanaSignIn ? solanaSigners() : [];
    put(
      list,
      host.ownSignIn && button("Sign in with a wallet", ethereum),
      signers.map((signer) => button(`Sign in with ${signer.name} on Solana`, () => solana(signer))),
      !host.ownSignIn && signers.length === 0 && h("p", { class: "about" }, "This browser has no wallet of Solana."),
    );
  };
  whenWalletsChange(show);
  show();
  return list;
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
    (host.ownSignIn || host.solanaSignIn) &&
    h(
      "section",
      { "aria-labelledby": "by-wallet" },
      h("h2", { id: "by-wallet" }, "With your wallet"),
      h("p", {}, "The wallet that bought the balance signs a text; nothing is paid. It stays open for half an hour."),
      walletButtons(attempt),
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
