import { applicationEvents, describeApplicationEvents } from "@latchkey/contracts";

const kindsOf = { user: "user", session: "user", organization: "organization", apiKey: "owner" };

const intro = `# Events

Your application receives these events by [webhooks](webhooks.md), or reads them at \`GET /admin/events\`. The JSON Schemas below are also
served at \`/api/events.json\`. This page is generated from the contracts.

- Every event has the members \`id\`, \`type\`, \`version\`, \`timestamp\` and \`data\`.
- The \`id\` is unique, and the same in every delivery. Ignore an event whose \`id\` you have processed.
- The \`timestamp\` is the time of the change.
- Objects in \`data\`, such as \`user\`, have their state at the moment when the event was recorded. That is about a second after the change, so
  they may include a later change. They are null if the object was deleted in the meantime.
- The \`version\` increases if a member is removed or changes its meaning. New members may appear at any time.
- Events contain no passwords, tokens, codes and key texts.
- Events of one user or one organization arrive in order. Events of API keys belong to their owner.
`;

/** Returns the reference page of events. */
export const eventsPage = (): string => {
  const entries = Object.entries(applicationEvents);
  const schemas = describeApplicationEvents();
  const rows = entries.map(
    ([type, { summary, permission }]) =>
      `| [\`${type}\`](#${type.replaceAll(".", "")}) | ${summary} | ${kindsOf[permission.resource]} | \`${permission.resource}: ["${permission.action}"]\` |`,
  );
  const sections = entries.map(
    ([type, { summary }]) =>
      `## ${type}\n\n${summary}\n\n\`\`\`json\n${JSON.stringify(schemas[type], null, 2)}\n\`\`\`\n`,
  );
  return [
    intro,
    "| event | meaning | subject | permission of the reader |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...sections,
  ].join("\n");
};
