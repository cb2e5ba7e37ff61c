/** Hosts of advertisements and trackers, by the list that Lighthouse also uses (third-party-web, MIT). */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const UNWANTED = new Set(["ad", "analytics", "marketing", "tag-manager"]);

const thirdParties = lazy(
  async () => (await import("third-party-web/nostats-subset.js").catch(without("third-party-web"))).default,
);

/** Whether a host is dispensable for a page; hosts of the page's own company are not. */
export async function adHosts(pageUrl: string): Promise<(host: string) => boolean> {
  const { getEntity } = await thirdParties();
  const owner = getEntity(pageUrl)?.name;
  return (host) => {
    const entity = getEntity(`https://${host}/`);
    return entity !== undefined && entity.name !== owner && entity.categories.some((name) => UNWANTED.has(name));
  };
}
