/** Why a crawler may or may not fetch a path. */
export const ROBOTS_REASONS = ["rule", "no-rule", "no-group", "robots-file", "unavailable", "unreachable"] as const;
