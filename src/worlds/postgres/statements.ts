import { DEFAULT_WORLD } from '../../lib/secrets.js'

/** Of the tables and the bodies in them. Another format is refused. */
export const FORMAT = 1

const toMilliseconds = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::float8`

const NOW = `${toMilliseconds('clock_timestamp()')} AS now`

/** As `describeWorld`. */
const DESCRIPTION = `lower(coalesce('world …' || last_four, 'default world') || ' ' || id || ' ' || coalesce(name, ''))`

const IS_LISTED = `strpos(${DESCRIPTION}, $3) > 0 AND ($4::text[] IS NULL OR tenant = ANY ($4)) AND ($5::text IS NULL OR name = $5)`

/** In bytes. All wait for the statements that read many worlds, so these return no larger bodies. */
export const SMALL = 256 * 1024
const PAGE = 4 * 1024 * 1024
const MAX_ROWS = 1_000
/** The next base is so many entries away. */
const BASE_ENTRIES = 10_000

const ifSmall = (body: string) => `CASE WHEN octet_length(${body}) <= ${SMALL} THEN ${body} END`

const newestOf = (world: string) => `(SELECT max(n) FROM commits WHERE world = ${world}) AS newest`

/** The commits of a world from a number on, until they have so many bytes. A page of many worlds lacks large bodies. */
const pageFrom = (world: string, n: string, bytes: number) => `
SELECT n, tag, ends, ${bytes === SMALL ? ifSmall('body') : 'body'} AS body FROM (
  SELECT *, sum(coalesce(octet_length(body), 0)) OVER (ORDER BY n) - coalesce(octet_length(body), 0) AS before
  FROM (SELECT * FROM commits WHERE world = ${world} AND n >= ${n} ORDER BY n LIMIT ${MAX_ROWS}) first
) sized WHERE before < ${bytes} ORDER BY n`

/** Each statement is a transaction of its own. Names are those of prepared statements. */
export const STATEMENTS = {
  readServer: `
SELECT current_setting('server_version_num')::int AS version, to_regclass('origin') IS NOT NULL AS is_set_up,
  to_regclass('problems') IS NOT NULL AS is_current, ${NOW}`,

  /**
   * The lock lets replicas that start at once create the tables one after the other. A later version adds
   * tables and no columns: replicas of the one before go on, and their plans stay valid.
   */
  createTables: `
DO $$ BEGIN
PERFORM pg_advisory_xact_lock(hashtext('sandramp'));
CREATE TABLE IF NOT EXISTS origin (one bool PRIMARY KEY DEFAULT true CHECK (one), format int NOT NULL, seed text NOT NULL,
  drawn bool NOT NULL, base text NOT NULL);
CREATE TABLE IF NOT EXISTS commits (world text NOT NULL, n int NOT NULL, tag uuid NOT NULL, ends bool NOT NULL, body text,
  at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (world, n));
CREATE INDEX IF NOT EXISTS commits_that_end ON commits (world, n) WHERE ends;
CREATE TABLE IF NOT EXISTS checkpoints (world text PRIMARY KEY, n int NOT NULL, body text NOT NULL);
CREATE TABLE IF NOT EXISTS bases (world text NOT NULL, n int NOT NULL, seq int NOT NULL, body text NOT NULL, PRIMARY KEY (world, n));
CREATE TABLE IF NOT EXISTS tenants (name text PRIMARY KEY, prefix_hash text NOT NULL UNIQUE, token_hash text NOT NULL UNIQUE,
  max_worlds int, rate text, created_at timestamptz NOT NULL DEFAULT now(), removed_at timestamptz);
CREATE TABLE IF NOT EXISTS session_keys (tenant text PRIMARY KEY REFERENCES tenants, key text NOT NULL);
CREATE TABLE IF NOT EXISTS worlds (id text PRIMARY KEY, tenant text REFERENCES tenants, last_four text, name text,
  created_at timestamptz NOT NULL DEFAULT now(), used_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX IF NOT EXISTS worlds_of_tenants ON worlds (tenant) WHERE tenant IS NOT NULL;
CREATE TABLE IF NOT EXISTS keys (hash text PRIMARY KEY, world text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS weights (world text PRIMARY KEY, bytes float8 NOT NULL);
CREATE UNLOGGED TABLE IF NOT EXISTS requests (world text NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(), size int NOT NULL, body bytea NOT NULL, PRIMARY KEY (world, n));
ALTER TABLE requests ALTER body SET STORAGE EXTERNAL;
CREATE INDEX IF NOT EXISTS requests_of_all_worlds ON requests (n);
IF to_regclass('problems') IS NULL THEN
  CREATE TABLE problems (world text PRIMARY KEY, found bool NOT NULL DEFAULT false, n int, at timestamptz);
  INSERT INTO problems (world) SELECT DISTINCT world FROM requests;
END IF;
END $$`,

  /** The table may have other columns in another format. */
  readOrigin: 'SELECT * FROM origin',

  proposeOrigin:
    'INSERT INTO origin (format, seed, drawn, base) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',

  /**
   * $1: worlds. $2: true to begin with the base in place of the checkpoint, if older commits are gone. Row `n = start` is
   * either of them, or the end of the world before; the world continues after it.
   */
  readWorlds: `
SELECT k.i::int, c.n, coalesce(p.n, e.n, 0) AS start, c.tag, c.ends, ${newestOf('k.world')}, w.tenant, w.created_at,
  CASE WHEN c.n > coalesce(p.n, e.n, 0) THEN c.body ELSE ${ifSmall('p.body')} END AS body, ${NOW}
FROM unnest($1::text[], $2::bool[]) WITH ORDINALITY k(world, whole, i)
CROSS JOIN LATERAL (SELECT max(n) AS n FROM commits WHERE world = k.world AND ends) e
LEFT JOIN LATERAL (
  (SELECT n, body FROM checkpoints WHERE NOT k.whole AND world = k.world AND n > coalesce(e.n, 0) LIMIT 1)
  UNION ALL
  (SELECT n, body FROM bases b WHERE k.whole AND world = k.world AND n > coalesce(e.n, 0)
    AND NOT EXISTS (SELECT FROM commits WHERE world = k.world AND n > coalesce(e.n, 0) AND n < b.n) ORDER BY n LIMIT 1)
) p ON true
LEFT JOIN LATERAL (SELECT tenant, created_at FROM worlds WHERE id = k.world LIMIT 1) w ON true
CROSS JOIN LATERAL (${pageFrom('k.world', 'coalesce(p.n, e.n, 0)', SMALL)}) c
ORDER BY k.i, c.n`,

  /**
   * $1: worlds. $2 and $3: numbers and tags of their known commits. Returns a world only if others changed it: its
   * commits from the known one on, which is first or missing if it is not the known one any more. Row 0 has the time.
   */
  readNews: `
SELECT 0 AS i, NULL::int AS n, NULL::uuid AS tag, NULL::bool AS ends, NULL::int AS newest, NULL::text AS body, ${NOW}
UNION ALL
SELECT k.i::int, c.n, c.tag, c.ends, ${newestOf('k.world')}, c.body, NULL
FROM unnest($1::text[], $2::int[], $3::uuid[]) WITH ORDINALITY k(world, n, tag, i)
LEFT JOIN LATERAL (${pageFrom('k.world', 'k.n', SMALL)}) c ON true
WHERE c.tag IS DISTINCT FROM k.tag
ORDER BY i, n`,

  /** $1: a world. $2: its commits from this number on, as many as a page has. */
  readPage: pageFrom('$1', '$2::int', PAGE),

  /** $1: a world. $2: the number of its checkpoint or base. */
  readLayer: `
SELECT body FROM checkpoints WHERE world = $1 AND n = $2
UNION ALL SELECT body FROM bases WHERE world = $1 AND n = $2 LIMIT 1`,

  /**
   * $1 to $12: columns of the commits; `previous` is the tag of the known one. $13 and $14: hashes of keys and their
   * worlds. The primary key lets one process have a number. All processes insert in one order, so that two never wait for
   * each other.
   */
  append: `
WITH given AS (
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::bool[], $5::text[], $6::bool[], $7::text[], $8::text[], $9::text[],
    $10::timestamptz[], $11::float8[], $12::bool[])
    g(world, previous, tag, ends, body, begins, last_four, tenant, name, created_at, bytes, suspect)
), created AS (
  INSERT INTO keys SELECT * FROM unnest($13::text[], $14::text[]) k(hash, world) ORDER BY hash ON CONFLICT DO NOTHING
), added AS (
  INSERT INTO commits (world, n, tag, ends, body)
  SELECT g.world, coalesce(c.n, 0) + 1, g.tag, g.ends, g.body FROM given g
  LEFT JOIN LATERAL (SELECT n, tag FROM commits WHERE world = g.world ORDER BY n DESC LIMIT 1) c ON true
  WHERE c.tag IS NOT DISTINCT FROM g.previous
  ORDER BY g.world ON CONFLICT DO NOTHING RETURNING world, n, tag, ends
), begun AS (
  INSERT INTO worlds (id, tenant, last_four, name, created_at)
  SELECT a.world, g.tenant, g.last_four, g.name, coalesce(g.created_at, now())
  FROM added a JOIN given g USING (tag) WHERE g.begins ON CONFLICT DO NOTHING
), renamed AS (
  UPDATE worlds SET name = g.name FROM added a JOIN given g USING (tag)
  WHERE id = a.world AND NOT g.begins AND g.last_four IS NOT NULL
), weighed AS (
  INSERT INTO weights SELECT a.world, g.bytes FROM added a JOIN given g USING (tag)
  WHERE abs(g.bytes - coalesce((SELECT bytes FROM weights WHERE world = a.world), 0)) > 65536
  ON CONFLICT (world) DO UPDATE SET bytes = excluded.bytes
), suspected AS (
  INSERT INTO problems (world) SELECT a.world FROM added a JOIN given g USING (tag) WHERE g.suspect
  ORDER BY a.world ON CONFLICT DO NOTHING
), ended AS (
  DELETE FROM worlds USING added a WHERE id = a.world AND a.ends
), debased AS (
  DELETE FROM bases b USING added a WHERE b.world = a.world AND a.ends
)
SELECT n, tag FROM added`,

  /** The commits among these that are stored. */
  findCommits: `
SELECT n, c.tag FROM unnest($1::text[], $2::uuid[]) g(world, tag) JOIN commits c ON c.world = g.world AND c.tag = g.tag`,

  /** Stores nothing if a failover has lost the commit. */
  saveCheckpoint: `
INSERT INTO checkpoints SELECT world, n, $4 FROM commits WHERE world = $1 AND n = $2 AND tag = $3
ON CONFLICT (world) DO UPDATE SET n = excluded.n, body = excluded.body WHERE checkpoints.n < excluded.n`,

  /**
   * $1 and $2: a world and its new checkpoint. $3: the entry of that. $4: the entry from which on all are kept. A base is a
   * checkpoint from which they follow.
   */
  moveBase: `
WITH added AS (
  INSERT INTO bases SELECT world, n, $3, body FROM checkpoints
  WHERE world = $1 AND n = $2 AND NOT EXISTS (SELECT FROM bases WHERE world = $1 AND seq > $3 - ${BASE_ENTRIES})
  ON CONFLICT DO NOTHING
), base AS (
  SELECT max(n) AS n FROM bases WHERE world = $1 AND seq < $4
), older AS (
  DELETE FROM bases b USING base WHERE b.world = $1 AND b.n < base.n
)
DELETE FROM commits c USING base WHERE c.world = $1 AND c.n < base.n`,

  worldOfKey: 'SELECT world FROM keys WHERE hash = $1',

  /** Returns the total without a world for a page behind the end. */
  listWorlds: `
SELECT t.*, w.* FROM (
  SELECT count(*)::int AS total, count(*) FILTER (WHERE found)::int AS with_problems FROM worlds
  LEFT JOIN problems ON world = id WHERE ${IS_LISTED}
) t
LEFT JOIN (
  SELECT id, last_four, name, ${toMilliseconds('used_at')} AS used_at FROM worlds LEFT JOIN problems ON world = id
  WHERE ${IS_LISTED} AND (found OR NOT $6::bool) ORDER BY worlds.used_at DESC, id LIMIT $2::bigint OFFSET $1::bigint * $2::bigint
) w ON true`,

  listUnjudged: `
SELECT p.world AS id FROM problems p JOIN worlds w ON w.id = p.world
WHERE p.world > $1 AND ($2::text[] IS NULL OR w.tenant = ANY ($2)) AND (
  p.n IS DISTINCT FROM (SELECT max(n) FROM commits WHERE world = p.world)
  OR p.at IS DISTINCT FROM (SELECT at FROM requests WHERE world = p.world ORDER BY requests.n DESC LIMIT 1))
ORDER BY p.world LIMIT 100`,

  /** A row that another process is writing stays as it is. If that was older, the next list judges the world again. */
  keepVerdicts: `
UPDATE problems p SET n = g.n, at = g.at, found = g.found
FROM unnest($1::text[], $2::int[], $3::timestamptz[], $4::bool[]) g(world, n, at, found)
WHERE p.world = g.world AND p.world IN (SELECT world FROM problems WHERE world = ANY ($1) FOR UPDATE SKIP LOCKED)`,

  listTenants: `
SELECT *, (SELECT count(*)::int FROM worlds WHERE tenant = tenants.name) AS worlds,
  (SELECT coalesce(sum(bytes), 0) FROM weights JOIN worlds ON id = weights.world WHERE tenant = tenants.name) AS bytes,
  (SELECT key FROM session_keys WHERE tenant = tenants.name) AS session_key FROM tenants WHERE removed_at IS NULL ORDER BY name`,

  /** Returns a row to a repetition too. */
  addTenant: `
WITH added AS (
  INSERT INTO tenants (name, prefix_hash, token_hash, max_worlds, rate) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (name) DO UPDATE SET name = excluded.name WHERE tenants.token_hash = excluded.token_hash RETURNING name
), key AS (
  INSERT INTO session_keys SELECT name, $6 FROM added ON CONFLICT DO NOTHING
)
SELECT name FROM added`,

  keepSessionKey: 'INSERT INTO session_keys VALUES ($1, $2) ON CONFLICT DO NOTHING',

  removeTenant:
    'UPDATE tenants SET removed_at = coalesce(removed_at, now()) WHERE name = $1 RETURNING name',

  /** A row that another process is writing needs no second write. */
  noteUse: `
UPDATE worlds SET used_at = now() WHERE id IN (
  SELECT id FROM worlds WHERE id = ANY ($1) AND used_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED)`,

  /** A replica may begin worlds of a removed tenant for a few seconds. */
  findUnused: `
SELECT id, c.tag FROM worlds
CROSS JOIN LATERAL (SELECT tag FROM commits WHERE world = id ORDER BY n DESC LIMIT 1) c
WHERE (used_at < now() - interval '30 days' AND id <> '${DEFAULT_WORLD}')
  OR tenant IN (SELECT name FROM tenants WHERE removed_at IS NOT NULL)`,

  /**
   * A day later no statement reads them. The commit that ends a world stays: its number must not be used again. A key
   * may be older than its world.
   */
  deleteEnded: `
WITH last AS (
  SELECT world, max(n) AS n FROM commits WHERE ends AND at < now() - interval '1 day' GROUP BY world
), checkpoint AS (
  DELETE FROM checkpoints p USING last WHERE p.world = last.world AND p.n < last.n
), base AS (
  DELETE FROM bases b USING last WHERE b.world = last.world AND b.n < last.n
), request AS (
  DELETE FROM requests r WHERE NOT EXISTS (SELECT FROM worlds WHERE id = r.world)
), problem AS (
  DELETE FROM problems p WHERE NOT EXISTS (SELECT FROM worlds WHERE id = p.world)
), weight AS (
  DELETE FROM weights w WHERE NOT EXISTS (SELECT FROM worlds WHERE id = w.world)
), key AS (
  DELETE FROM keys k WHERE at < now() - interval '1 day' AND NOT EXISTS (SELECT FROM worlds WHERE id = k.world)
)
DELETE FROM commits c USING last WHERE c.world = last.world AND c.n < last.n`,

  /** $5: worlds with an unclear exchange. $3: lengths of the bodies. $4: the bodies in a row, because the driver would write an array of them as text. */
  addRequests: `
WITH suspected AS (
  INSERT INTO problems (world) SELECT unnest($5::text[]) ORDER BY 1 ON CONFLICT DO NOTHING
)
INSERT INTO requests (world, size, body)
SELECT world, size, substr($4::bytea, (sum(length) OVER (ORDER BY i) - length)::int + 1, length)
FROM unnest($1::text[], $2::int[], $3::int[]) WITH ORDINALITY b(world, size, length, i)`,

  /** Rows may become visible after their successors: a statement of another process may last seconds. */
  readRequests: `
SELECT k.i::int, r.n::float8, r.at::text, r.body
FROM unnest($1::text[], $2::int[], $3::bigint[], $4::timestamptz[]) WITH ORDINALITY k(world, count, n, at, i)
CROSS JOIN LATERAL (
  SELECT * FROM requests WHERE world = k.world AND (requests.at > k.at - interval '5 s'
    OR NOT EXISTS (SELECT FROM requests WHERE world = k.world AND n = k.n AND at = k.at))
  ORDER BY requests.n DESC LIMIT k.count
) r
ORDER BY k.i, r.n DESC`,

  readAllRequests: `
SELECT n::float8, at::text, body FROM requests
WHERE $1::text[] IS NULL OR world IN (SELECT id FROM worlds WHERE tenant = ANY ($1))
ORDER BY requests.n DESC LIMIT $2`,

  pruneRequests: `
DELETE FROM requests WHERE world = $1
  AND n <= (SELECT max(n) FROM (
    SELECT n, sum(size) OVER (ORDER BY n DESC) - size AS newer FROM requests WHERE world = $1
  ) r WHERE newer >= $2)`,

  clearRequests: 'DELETE FROM requests WHERE world = $1',
}
