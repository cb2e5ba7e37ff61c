/** The host's key for a provider: what it changes, and how it travels. */
import type { Provider } from "../capability/provider.js";
import type { Context } from "../capability/types.js";
import type { Outgoing } from "./exchange.js";

/** Providers as they are with a key, by the provider: state of an upstream belongs to an object of its own. */
const keyed = new WeakMap<Provider, Provider>();

/** The provider as it is for this host: with what a key changes, where it has one. */
export function asConfigured(provider: Provider, ctx: Context): Provider {
  const { secret, withKey } = provider;
  if (!withKey || !secret || !ctx.secret(secret.name)) return provider;
  const known = keyed.get(provider) ?? { ...provider, ...withKey };
  keyed.set(provider, known);
  return known;
}

/** The request with the key, where there is one. */
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
