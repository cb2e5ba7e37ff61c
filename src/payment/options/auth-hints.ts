/** Who has to say who they are before they pay: the extension `auth-hints`. */
import { anyOf, type Check, type ChecksOf, listOf, needed, shape } from "../../lib/options/check.js";
import { func, oneOf, text, webAddress } from "../../lib/options/kinds.js";

/** A token of an authorization server, in the header `Authorization` beside the payment. */
export interface OAuthMethod {
  type: "oauth2";
  tokenType: "Bearer" | "DPoP";
  authorizationServer: string;
  tokenEndpoint: string;
  /** Where clients register by themselves (RFC 7591). */
  registrationEndpoint?: string;
}

/** A sign-in of a wallet, by the extension of that name, beside the payment. */
export interface SignInMethod {
  type: "sign-in-with-x";
}

export interface AuthHintsOptions {
  /** One of these is needed. */
  methods: readonly (OAuthMethod | SignInMethod)[];
  /** Only for offers on these networks, and by these schemes. Default: for all. */
  networks?: readonly string[];
  schemes?: readonly string[];
  /** Judges the token of a request for `oauth2`. It gets the request without its body. */
  verify?: (request: Request) => boolean | Promise<boolean>;
}

const OAUTH: ChecksOf<OAuthMethod> = {
  type: oneOf("oauth2"),
  tokenType: needed(oneOf("Bearer", "DPoP"), '"Bearer" or "DPoP".'),
  authorizationServer: needed(webAddress, "the address of the authorization server."),
  tokenEndpoint: needed(webAddress, "the address at which it gives tokens."),
  registrationEndpoint: webAddress,
};

const AUTH_HINTS: ChecksOf<AuthHintsOptions> = {
  methods: needed(
    listOf(anyOf(shape<SignInMethod>({ type: oneOf("sign-in-with-x") }), shape<OAuthMethod>(OAUTH)), {
      least: 1,
      most: 8,
    }),
    'such as [{ type: "sign-in-with-x" }].',
  ),
  networks: listOf(text('a network, such as "eip155:8453" or "base"')),
  schemes: listOf(oneOf("exact", "upto", "batch-settlement")),
  verify: func("a function of a request, which resolves to whether its token is good"),
};
const members = shape<AuthHintsOptions>(AUTH_HINTS);

export const authHintsOptions: Check = Object.assign(
  (name: string, value: unknown) => {
    members(name, value);
    const { methods, verify } = value as AuthHintsOptions;
    if (methods.some(({ type }) => type === "oauth2") && !verify)
      throw new TypeError(`${name}.verify is needed for oauth2: it judges the tokens that callers send.`);
  },
  { members: AUTH_HINTS },
);

export const asksForSignIn = (hints: AuthHintsOptions | undefined): boolean =>
  hints?.methods.some(({ type }) => type === "sign-in-with-x") ?? false;
