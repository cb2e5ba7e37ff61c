/** The host's key for a provider: its effect, and how it is sent. */
import type { Provider } from "../capability/provider.js";
import type { Context } from "../capability/types.js";
import type { Outgoing } from "./exchange.js";

/** Providers with the changes of a key, by provider, because the state of an upstream is kept by object identity. */
const keyed = new WeakMap<Provider, Provider>();

/** The provider for this host, with the changes of its key if it has one. */
export function asConfigured(provider: Provider, ctx: Context): Provider {
  const { secret, withKey } = provider;
  if (!withKey || !secret || !ctx.secret(secret.name)) return provider;
  const known = keyed.get(provider) ?? { ...provider, ...withKey };
  keyed.set(provider, known);
  return known;
}

/** The request with the key, if there is one. */
export function withSecret(outgoing: Outgoing, { secret }: Provider, ctx: Context): Outgoing {
  const value = secret && ctx.secret(secret.name);
  if (!secret || !value) return outgoing;
  const { in: place } = secret;
  if ("header" in place)
    return { ...outgoing, headers: { ...outgoing.headers, [place.header]: `${place.prefix ?? ""}${value}` } };
  if ("basicUser" in place)
    return { ...outgoing, headers: { ...outgoing.headers, authorization: `Basic ${btoa(`${value}:`)}` } };
  if ("body" in place) {
    const body = { ...JSON.parse(outgoing.body ?? "{}"), [place.body]: value };
    return { ...outgoing, body: JSON.stringify(body) };
  }
  const url = new URL(outgoing.url);
  url.searchParams.set(place.query, value);
  return { ...outgoing, url };
}
