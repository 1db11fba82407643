import {
  type AccessKind,
  accessKinds,
  endings,
  endsOf,
  type FactName,
  facts,
} from "@latchkey/contracts";

const intro = `# What ends when

A change of a user ends access that may belong to somebody else. This table says what each audited action ends. It is generated from
\`libs/contracts/src/facts.ts\`, where the reasons are. An action that is not listed ends no access.
`;

const kinds = Object.keys(accessKinds) as AccessKind[];

/** Returns the page of what each fact ends. */
export const whatEndsPage = (): string => {
  const names = Object.keys(facts) as FactName[];
  const rows = names
    .map((name) => ({ name, ends: endsOf(name) }))
    .filter(({ ends }) => Object.keys(ends).length > 0)
    .map(
      ({ name, ends }) => `| \`${name}\` | ${kinds.map((kind) => ends[kind] ?? "").join(" | ")} |`,
    );
  const described = (one: readonly (readonly [string, string])[]) =>
    one.map(([name, description]) => `- **${name}**: ${description}`);
  return [
    intro,
    ...described(Object.entries(endings)),
    "",
    "The kinds of access:",
    "",
    ...described(Object.values(accessKinds)),
    "",
    `| action | ${Object.values(accessKinds)
      .map(([name]) => name)
      .join(" | ")} |`,
    `|---|${kinds.map(() => "---|").join("")}`,
    ...rows,
    "",
  ].join("\n");
};
