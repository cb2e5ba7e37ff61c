import { createHash } from "node:crypto";

export interface Script {
  source: string;
  sha1: string;
}

function script(lua: string): Script {
  return { source: lua, sha1: createHash("sha1").update(lua).digest("hex") };
}

// Redis expires the records, but not their entries in the sorted sets: by key (for lists), by expiry (to clean the
// other two) and by due time. Each write removes a few expired entries.
const INDEXES = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function forget(key, byKey, byExpiry, byDue)
  redis.call('ZREM', byKey, key)
  redis.call('ZREM', byExpiry, key)
  redis.call('ZREM', byDue, key)
end
`;

/**
 * KEYS: record, versions, three indexes. ARGV: key, value, ifVersion, ttlMs, dueAt or ''. Returns the version or nil.
 */
export const PUT = script(`${INDEXES}
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now, 'LIMIT', 0, 8)) do
  forget(dead, KEYS[3], KEYS[4], KEYS[5])
end
if tonumber(redis.call('HGET', KEYS[1], 'version') or 0) ~= tonumber(ARGV[3]) then return false end

local version = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], 'version', version, 'value', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('ZADD', KEYS[3], 0, ARGV[1])
redis.call('ZADD', KEYS[4], now + ARGV[4], ARGV[1])
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[5], ARGV[1])
else
  redis.call('ZADD', KEYS[5], ARGV[5], ARGV[1])
end
return version
`);

/** KEYS: record, three indexes. ARGV: key, ifVersion. Returns 1 if it was removed. */
export const REMOVE = script(`${INDEXES}
local version = redis.call('HGET', KEYS[1], 'version')
if not version or tonumber(version) ~= tonumber(ARGV[2]) then return 0 end
redis.call('DEL', KEYS[1])
forget(ARGV[1], KEYS[2], KEYS[3], KEYS[4])
return 1
`);

/** KEYS: counter. ARGV: by, ttlMs, max. Returns the total or nil. */
export const INCREMENT = script(`
local current = redis.call('GET', KEYS[1])
local total = math.max(0, tonumber(current or 0) + tonumber(ARGV[1]))
if total > tonumber(ARGV[3]) then return false end
if current then
  redis.call('SET', KEYS[1], string.format('%.0f', total), 'KEEPTTL')
else
  redis.call('SET', KEYS[1], string.format('%.0f', total), 'PX', ARGV[2])
end
return total
`);

/** KEYS: three indexes. ARGV: now, limit. Returns the number of expired keys that were removed, then the due keys. */
export const DUE = script(`${INDEXES}
local found = {0}
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do
  local expiry = redis.call('ZSCORE', KEYS[2], key)
  if expiry and tonumber(expiry) > now then
    found[#found + 1] = key
  else
    forget(key, KEYS[1], KEYS[2], KEYS[3])
    found[1] = found[1] + 1
  end
end
return found
`);
