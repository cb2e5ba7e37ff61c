/** The scenarios of the official suite that ask for something that no host of ours has, and why; `scenario:check` names one check. */
const NO_PROMPTS = "the catalogue is tools: there are no prompts";
const NO_RESOURCES = "the catalogue is tools: there are no resources";
const NO_SESSION = "no sessions, so any instance answers any request";
const NOT_MODEL = "a service asks its callers for a payment, not their models or files (sampling, roots)";
const NO_LOGS = "what a capability logs is for the host, not for its callers";

const NO_INPUT = "a call is complete in its arguments: no capability asks in between";
const NO_INPUT_TASK = "a task of ours never asks for anything in between";
const NO_CHANGES = "lists are asked for again after their time, and no notice is sent of a change";

const INPUT = [
  ...["basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests"],
  ...["multi-round", "missing-input-response", "non-tool-request", "result-type", "tampered-state"],
  ...["capability-check", "ignore-extra-params", "validate-input"],
];
const PROMPTS = ["list", "get-simple", "get-with-args", "get-embedded-resource", "get-with-image"];
const BOTH = {
  ...Object.fromEntries(PROMPTS.map((name) => [`prompts-${name}`, NO_PROMPTS])),
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "completion-complete": "it completes arguments of prompts and resources, which there are none of",
  "tools-call-mixed-content": "a call is answered by one document: JSON, a text, a picture, a sound or a file",
  "json-schema-2020-12": "not scored; it wants one tool with the schema that it names, word for word",
};

export const NOT_APPLICABLE = {
  "2025-11-25": {
    ...BOTH,
    "resources-subscribe": NO_RESOURCES,
    "resources-unsubscribe": NO_RESOURCES,
    "logging-set-level": NO_LOGS,
    "tools-call-with-logging": NO_LOGS,
    "tools-call-sampling": NOT_MODEL,
    "tools-call-elicitation": NO_INPUT,
    "elicitation-sep1034-defaults": NO_INPUT,
    "elicitation-sep1330-enums": NO_INPUT,
    "server-sse-multiple-streams": NO_SESSION,
    "server-sse-polling": NO_SESSION,
    "server-session-lifecycle": NO_SESSION,
  },
  "2026-07-28": {
    ...BOTH,
    "caching:sep-2549-prompts-list-caching-hints": NO_PROMPTS,
    "caching:sep-2549-resources-list-caching-hints": NO_RESOURCES,
    "caching:sep-2549-resources-templates-list-caching-hints": NO_RESOURCES,
    "caching:sep-2549-resources-read-caching-hints": NO_RESOURCES,
    "sep-2164-resource-not-found": NO_RESOURCES,
    "server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription": NO_PROMPTS,
    "server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription": NO_CHANGES,
    "server-stateless:sep-2575-server-rejects-undeclared-capability": NOT_MODEL,
    "server-stateless:sep-2575-missing-capability-http-400": NOT_MODEL,
    "server-stateless:sep-2575-http-server-no-independent-requests-on-stream": NO_INPUT,
    "http-custom-header-server-validation": "not scored; no parameter of a tool is mirrored in a header",
    ...Object.fromEntries(INPUT.map((name) => [`input-required-result-${name}`, NO_INPUT])),
    "tasks-mrtr-input": NO_INPUT_TASK,
    "tasks-mrtr-composition": NO_INPUT_TASK,
    "tasks-dispatch-and-envelope:tasks-result-type-complete-on-non-task-responses": NO_INPUT_TASK,
    "tasks-lifecycle:sep-2663-tasks-get-status-failed":
      "work of ours fails by a tool's error, never by one of the protocol",
    "tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call":
      "it compares two answers in full, and each of ours tells its own time and id",
    "tasks-required-task-error": "no tool gives its answer as a task alone: a client without tasks waits for it",
    "tasks-status-notifications": "the suite leaves it out, and no notice is sent: a task is asked for",
  },
};
