-- What all migrations together make, for reading: nothing runs this file, and a test keeps it equal to a real database.
-- Refresh it with: UPDATE_SCHEMA=1 node scripts/jest.mjs --selectProjects integration --testPathPatterns schema-dump

CREATE TABLE audit (
  audit_id uuid NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  reason text NOT NULL,
  correlation_id text,
  before text,
  after text,
  CONSTRAINT audit_pkey PRIMARY KEY (audit_id)
);
CREATE INDEX audit_by_correlation_id ON public.audit USING btree (correlation_id, audit_id);
CREATE INDEX audit_by_subject ON public.audit USING btree (subject, audit_id);

CREATE TABLE conflicts (
  conflict_id uuid NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  status text NOT NULL DEFAULT 'open'::text,
  system text,
  entity_type text,
  external_id text,
  internal_id uuid,
  event_id uuid,
  candidates text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT conflicts_pkey PRIMARY KEY (conflict_id),
  CONSTRAINT conflicts_kind CHECK ((kind = ANY (ARRAY['key'::text, 'version'::text, 'link'::text, 'find'::text]))),
  CONSTRAINT conflicts_status CHECK ((status = ANY (ARRAY['open'::text, 'decided'::text])))
);
CREATE UNIQUE INDEX conflicts_by_subject ON public.conflicts USING btree (kind, subject);
CREATE INDEX conflicts_open ON public.conflicts USING btree (conflict_id) WHERE (status = 'open'::text);

CREATE TABLE contracts (
  number integer NOT NULL,
  hash text NOT NULL,
  text text NOT NULL,
  activation bigint NOT NULL,
  first_active_at timestamp with time zone NOT NULL DEFAULT now(),
  active_since timestamp with time zone NOT NULL DEFAULT now(),
  accepted_by text,
  accepted_at timestamp with time zone,
  accepted_against integer,
  CONSTRAINT contracts_activation UNIQUE (activation),
  CONSTRAINT contracts_hash UNIQUE (hash),
  CONSTRAINT contracts_pkey PRIMARY KEY (number),
  CONSTRAINT contracts_accepted CHECK (((accepted_by IS NULL) = (accepted_at IS NULL))),
  CONSTRAINT contracts_number CHECK ((number > 0))
);

CREATE TABLE deliveries (
  target text NOT NULL,
  internal_id uuid NOT NULL,
  entity_type text NOT NULL,
  wanted_revision bigint NOT NULL,
  reached_revision bigint NOT NULL DEFAULT 0,
  dirty_seq bigint NOT NULL DEFAULT 0,
  clean_seq bigint NOT NULL DEFAULT 0,
  doubt_until timestamp with time zone,
  wanted_by uuid NOT NULL,
  attempted_by uuid,
  status text NOT NULL DEFAULT 'due'::text,
  attempts integer NOT NULL DEFAULT 0,
  last_code text,
  last_detail text,
  delivered_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT deliveries_pkey PRIMARY KEY (internal_id, target),
  CONSTRAINT deliveries_status CHECK ((status = ANY (ARRAY['due'::text, 'retrying'::text, 'delivered'::text, 'dead'::text])))
) WITH (fillfactor=80);

CREATE TABLE duplicate_counts (
  hour timestamp with time zone NOT NULL,
  source text NOT NULL,
  event_type text NOT NULL,
  layer text NOT NULL,
  copies bigint NOT NULL,
  CONSTRAINT duplicate_counts_pkey PRIMARY KEY (hour, source, event_type, layer),
  CONSTRAINT duplicate_counts_layer CHECK ((layer = ANY (ARRAY['guard'::text, 'key'::text])))
);

CREATE TABLE entities (
  internal_id uuid NOT NULL,
  entity_type text NOT NULL,
  revision bigint NOT NULL,
  data text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  is_deleted boolean NOT NULL DEFAULT false,
  state text,
  path text,
  CONSTRAINT entities_pkey PRIMARY KEY (internal_id)
) WITH (fillfactor=80);

CREATE TABLE events (
  event_id uuid NOT NULL,
  source text NOT NULL,
  event_type text,
  idempotency_key text NOT NULL,
  system text,
  entity_type text,
  external_id text,
  raw_external_id text,
  version numeric,
  occurred_at timestamp with time zone,
  correlation_id text NOT NULL,
  traceparent text,
  fingerprint text NOT NULL,
  conflicts_with uuid,
  payload text NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  contract integer,
  links text,
  request text,
  state text,
  expected_state text,
  retry text,
  CONSTRAINT events_pkey PRIMARY KEY (event_id)
) PARTITION BY RANGE (event_id);
CREATE INDEX events_by_correlation_id ON ONLY public.events USING btree (correlation_id);
CREATE INDEX events_by_received_at ON ONLY public.events USING brin (received_at);

CREATE TABLE guard_epoch (
  is_only_row boolean NOT NULL DEFAULT true,
  mark uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT guard_epoch_pkey PRIMARY KEY (is_only_row),
  CONSTRAINT guard_epoch_is_only_row CHECK (is_only_row)
);

CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  idempotency_key text NOT NULL,
  event_id uuid NOT NULL,
  fingerprint text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, idempotency_key)
);

CREATE TABLE mappings (
  mapping_id uuid NOT NULL,
  internal_id uuid NOT NULL,
  entity_type text NOT NULL,
  system text NOT NULL,
  external_id text,
  raw_external_id text,
  role text NOT NULL DEFAULT 'primary'::text,
  state text NOT NULL,
  origin text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  create_fence bigint NOT NULL DEFAULT 0,
  CONSTRAINT mappings_pkey PRIMARY KEY (mapping_id),
  CONSTRAINT mappings_linked CHECK (((state = 'linked'::text) = (external_id IS NOT NULL))),
  CONSTRAINT mappings_origin CHECK ((origin = ANY (ARRAY['seen'::text, 'pending'::text, 'written_back'::text, 'linked'::text]))),
  CONSTRAINT mappings_role CHECK ((role = ANY (ARRAY['primary'::text, 'alias'::text]))),
  CONSTRAINT mappings_state CHECK ((state = ANY (ARRAY['linked'::text, 'waiting'::text, 'due'::text, 'creating'::text, 'unknown'::text, 'blocked'::text])))
);
CREATE UNIQUE INDEX mappings_by_external_id ON public.mappings USING btree (system, entity_type, external_id);
CREATE INDEX mappings_pending ON public.mappings USING btree (system, created_at) WHERE (external_id IS NULL);
CREATE UNIQUE INDEX mappings_primary ON public.mappings USING btree (internal_id, system) WHERE (role = 'primary'::text);

CREATE TABLE records (
  source text NOT NULL,
  system text NOT NULL,
  entity_type text NOT NULL,
  external_id text NOT NULL,
  internal_id uuid NOT NULL,
  order_value numeric,
  content_hash text,
  field_clocks text NOT NULL,
  data text NOT NULL,
  last_event_id uuid NOT NULL,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  is_tombstone boolean NOT NULL DEFAULT false,
  occurred_at_micros numeric,
  existence_clock text,
  merged text NOT NULL DEFAULT '{}'::text,
  refs text,
  CONSTRAINT records_pkey PRIMARY KEY (system, entity_type, external_id, source)
) WITH (fillfactor=80);
CREATE INDEX records_by_internal_id ON public.records USING btree (internal_id);

CREATE TABLE replays (
  replay_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'running'::text,
  filter text NOT NULL,
  pace integer NOT NULL,
  reason text NOT NULL,
  operator text NOT NULL,
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  superseded integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  started_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  next_step_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  after_dead_at timestamp with time zone,
  after_key text,
  ended_at timestamp with time zone,
  CONSTRAINT replays_pkey PRIMARY KEY (replay_id),
  CONSTRAINT replays_end CHECK (((status = 'running'::text) = (ended_at IS NULL))),
  CONSTRAINT replays_status CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX replays_running ON public.replays USING btree (next_step_at) WHERE (status = 'running'::text);

CREATE TABLE trace (
  event_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  node text NOT NULL,
  status text NOT NULL,
  outcome text,
  code text,
  detail text,
  internal_id uuid,
  revision bigint,
  external_id text,
  attempt integer,
  duration_ms integer,
  hops text,
  contract integer,
  retry_count integer,
  retry_interval_ms double precision,
  reject_reason text,
  CONSTRAINT trace_pkey PRIMARY KEY (event_id, trace_id)
) PARTITION BY RANGE (event_id);
CREATE INDEX trace_by_internal_id ON ONLY public.trace USING btree (internal_id, event_id);

CREATE TABLE work (
  kind text NOT NULL,
  key text NOT NULL,
  topic text NOT NULL,
  event_id uuid,
  internal_id uuid,
  status text NOT NULL DEFAULT 'due'::text,
  next_retry_time timestamp with time zone NOT NULL DEFAULT now(),
  retry_count integer NOT NULL DEFAULT 0,
  reject_reason text,
  reject_detail text,
  waits_for text[],
  lease_until timestamp with time zone,
  fence bigint NOT NULL DEFAULT 0,
  claims integer NOT NULL DEFAULT 0,
  wake bigint NOT NULL DEFAULT nextval('work_wakes'::regclass),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  waits_states text[],
  waits_contract integer,
  wait_until timestamp with time zone,
  failure_class text,
  retry_interval_ms double precision NOT NULL DEFAULT 0,
  dead_at timestamp with time zone,
  waited_for text[],
  CONSTRAINT work_pkey PRIMARY KEY (kind, key),
  CONSTRAINT work_dead_at CHECK (((status <> 'dead'::text) OR (dead_at IS NOT NULL))),
  CONSTRAINT work_failure_class CHECK ((failure_class = ANY (ARRAY['retryable'::text, 'throttled'::text, 'final'::text, 'auth'::text]))),
  CONSTRAINT work_kind CHECK ((kind = ANY (ARRAY['event'::text, 'delivery'::text]))),
  CONSTRAINT work_lease CHECK (((status = 'processing'::text) = (lease_until IS NOT NULL))),
  CONSTRAINT work_status CHECK ((status = ANY (ARRAY['due'::text, 'processing'::text, 'waiting'::text, 'dead'::text]))),
  CONSTRAINT work_waits CHECK (((status = 'waiting'::text) = (waits_for IS NOT NULL)))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX work_dead ON public.work USING btree (dead_at, key) WHERE (status = 'dead'::text);
CREATE INDEX work_due ON public.work USING btree (kind, next_retry_time) WHERE (status = 'due'::text);
CREATE INDEX work_leased ON public.work USING btree (kind, lease_until) WHERE (status = 'processing'::text);
CREATE INDEX work_wait_until ON public.work USING btree (wait_until) WHERE (status = 'waiting'::text);
CREATE INDEX work_waiting ON public.work USING gin (waits_for) WHERE (status = 'waiting'::text);
