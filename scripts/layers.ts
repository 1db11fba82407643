import { readSources, type SourceFile } from "./read-sources.ts";

// npm run layers: checks that imports between the folders of a package go one way.

/** The folders below `src` of each package, from the lowest layer to the highest. A folder imports only folders before it. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  "libs/service-kit": [
    "bounds",
    "config",
    "observe",
    "background",
    "database",
    "bus",
    "custom-names",
    "http",
    "merges",
    "pictures",
    "deliver",
    "lists",
    "secrets",
    "audit",
    "events",
    "import",
    "fields",
    "roles",
    "statistics",
    "transfer",
    "run",
  ],
  // A translation knows the English texts, and no other one.
  "libs/i18n": ["en", "ar", "de", "es", "fr", "ja", "pt", "zh-Hans"],
  "services/gateway": [
    "address",
    "events",
    "pages",
    "paths",
    "limits",
    "db",
    "origins",
    "cookies",
    "http",
    "captcha",
    "installation",
    "reference",
    "user-revisions",
    "forward",
    "keys",
    "web",
    "pipeline",
  ],
  "services/identity": [
    "db",
    "rows",
    "limits",
    "user-revisions",
    "users",
    "secrets",
    "events",
    "providers",
    "sessions",
    "jwt",
    "email-codes",
    "email-verification",
    "refused-sign-ins",
    "access",
    "second-factor",
    "cross-site-sign-in",
    "accounts",
    "passwords",
    "sign-in",
    "passkeys",
    "statistics",
    "social",
    "mailed-sign-in",
    "phone-numbers",
    "profile",
    "admin",
    "guests",
    "dead-letters",
    "import",
    "export",
  ],
  "services/organization": [
    "db",
    "rows",
    "events",
    "roles",
    "users",
    "sessions",
    "access",
    "organization-roles",
    "teams",
    "members",
    "invitations",
    "organizations",
    "api-keys",
    "admin",
    "import",
    "export",
  ],
  "services/apikey": [
    "db",
    "events",
    "organizations",
    "import",
    "usage",
    "owners",
    "merges",
    "keys",
    "admin",
    "verification",
    "export",
  ],
  "services/oauth": [
    "db",
    "signing-keys",
    "device-requests",
    "engine",
    "sign-in",
    "consents",
    "clients",
    "devices",
  ],
  "services/mailer": ["db", "departed-users", "templates", "deliveries", "admin"],
  "services/webhooks": ["db", "endpoints", "events", "deliveries", "admin", "organizations"],
  "apps/cli": ["installation", "terminal", "better-auth", "doctor", "prove", "commands"],
};

const placeOf = (path: string): { package: string; folder: string } | undefined => {
  const [, name, folder] = /^((?:libs|services|apps)\/[^/]+)\/src\/([^/]+)\//.exec(path) ?? [];
  return name === undefined || folder === undefined ? undefined : { package: name, folder };
};

/** Returns the imports that go up, as `from -> to`, and the folders that have no layer. */
export const findBreaches = (
  sources: readonly Pick<SourceFile, "imports" | "path">[],
  table: typeof layers = layers,
): { upward: string[]; unlisted: string[] } => {
  const upward: string[] = [];
  const unlisted = new Set<string>();
  for (const { path, imports } of sources) {
    const from = placeOf(path);
    const order = from && table[from.package];
    if (!order) continue;
    if (!order.includes(from.folder)) unlisted.add(`${from.package}/src/${from.folder}`);
    for (const imported of imports) {
      const to = placeOf(imported);
      if (to?.package !== from.package || to.folder === from.folder) continue;
      if (order.indexOf(from.folder) < order.indexOf(to.folder))
        upward.push(`${path} -> ${imported}`);
    }
  }
  return { upward: upward.toSorted(), unlisted: [...unlisted] };
};

const checkLayers = (): void => {
  const { upward, unlisted } = findBreaches(readSources().filter(({ isTest }) => !isTest));
  for (const one of upward) process.stderr.write(`imports a higher layer: ${one}\n`);
  for (const one of unlisted) process.stderr.write(`has no layer in scripts/layers.ts: ${one}\n`);
  if (upward.length + unlisted.length > 0) process.exitCode = 1;
};

// Tests import the functions only.
if (import.meta.main) checkLayers();
