import { accessKinds, type SecretDeclaration, secrets } from "@latchkey/contracts";

const intro = `# One-time secrets

Every secret that Latchkey hands out to be used once or for a while, apart from sessions, API keys and signed tokens. The page is generated
from \`libs/contracts/src/secrets.ts\`. Each works once for one of several concurrent uses, except a trusted browser, whose value is replaced
by each use, and an organization's invitation, which works until it is answered. A reader of the database can use none of those that are
stored as a hash or sealed. "Ends with" names the kind of access in [What ends when](what-ends.md).
`;

const lifetimeOf = (lifetime: number | string): string => {
  if (typeof lifetime === "string")
    return lifetime === "none" ? "until used" : lifetime.replaceAll(/[\w.]+\.\w+/g, "`$&`");
  const [size, unit] = lifetime % 86_400 === 0 ? [86_400, "day"] : [60, "minute"];
  const count = lifetime / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

const rowOf = ([name, secret]: [string, SecretDeclaration]): string => {
  const { gives, holder, lifetime, tries, boundTo, endsWith } = secret;
  const stored = "sealedFor" in secret ? `${secret.stored}; its content is sealed` : secret.stored;
  const attempts = typeof tries === "string" ? `\`${tries}\`` : (tries ?? "");
  const cells = [
    name,
    gives,
    holder,
    lifetimeOf(lifetime),
    attempts,
    boundTo ?? "",
    stored,
    endsWith ? accessKinds[endsWith][0] : "",
  ];
  return `| ${cells.join(" | ")} |`;
};

/** Returns the page of all one-time secrets. */
export const secretsPage = (): string =>
  [
    intro,
    "| secret | what it does | belongs to | lifetime | attempts | bound to | stored as | ends with |",
    "|---|---|---|---|---|---|---|---|",
    ...Object.entries(secrets).map(rowOf),
    "",
  ].join("\n");
