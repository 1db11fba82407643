import type { LatchkeyConfig } from "@latchkey/contracts";
import {
  brandingOf,
  brandingSources,
  type Look,
  lookOf,
  type Themed,
} from "@latchkey/contracts/look.ts";
import { mailLogo } from "@latchkey/contracts/mail-frame.ts";
import "@latchkey/ui/zod-without-eval.ts";
import { type Branding, brandingOptions, isAddress } from "@latchkey/contracts/options/branding.ts";
import { pageFacts, readPageFact } from "@latchkey/ui/page-facts.ts";

type BrandingConfig = NonNullable<LatchkeyConfig["branding"]>;

/** A look that is being edited: the members that differ from the defaults, or from the look of the installation. */
export type Draft = Omit<BrandingConfig, "applications">;

/** The installation as it is configured, and its draft. */
export interface Edited {
  configured: BrandingConfig;
  /** Whether mails can name the addresses of files. */
  hasBaseURL: boolean;
  /** The application whose look is edited. Undefined for that of the installation. */
  application: string | undefined;
  draft: Draft;
  /** The address of each file that was chosen here, by its path in the draft. */
  chosenFiles: ReadonlyMap<string, string>;
}

/** A draft, its problems by member, and the way to change it. */
export interface LookFormProps {
  draft: Draft;
  /** The branding that shows where the draft has nothing. */
  inherited: Branding;
  problemAt: (member: string) => string | undefined;
  change: (members: Draft) => void;
  /** Takes a chosen file. Returns its path in the configuration. */
  choose: (file: File) => string;
  /** Takes the chosen style sheet. */
  onStyle: (css: string) => void;
}

/** The files that the gateway serves, by application and option. Paths are not in the page, because anyone can read it. */
const servedFiles = (readPageFact("look-files") ?? []) as readonly {
  application?: string;
  files: Readonly<Record<string, string>>;
}[];

/** Returns the draft with which editing a look begins: its configured members. */
export const draftOf = (configured: BrandingConfig, application: string | undefined): Draft => {
  const { applications = {}, ...own } = configured;
  return application === undefined ? own : (applications[application] ?? {});
};

/** Returns the branding that shows where a draft has nothing of its own: that of the installation, or the defaults. */
export const inheritedOf = (
  { applications: _, ...own }: BrandingConfig,
  application: string | undefined,
): Branding => brandingOptions.parse(application === undefined ? {} : own);

/** Returns the branding as it is configured, from the options of an installation. */
export const configuredOf = (
  options: readonly { readonly name: string; readonly value: unknown }[],
): BrandingConfig => {
  const defaults: Readonly<Record<string, unknown>> = brandingOptions.parse({});
  const members = options.flatMap(({ name, value }) => {
    const member = name.replace(/^branding\./, "");
    const isDefault = JSON.stringify(defaults[member]) === JSON.stringify(value);
    return member === name || value === null || isDefault ? [] : [[member, value]];
  });
  return Object.fromEntries(members) as BrandingConfig; // the server has checked it
};

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

/** Returns the draft without empty members, as it would stand in the configuration. */
const cleaned = (draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => isSet(value)));

/** Returns the branding that the configuration would have with the draft. */
const brandingWith = ({ configured, application, draft }: Edited): BrandingConfig => {
  const { applications = {}, ...own } = configured;
  return application === undefined
    ? { ...cleaned(draft), applications }
    : { ...own, applications: { ...applications, [application]: cleaned(draft) } };
};

/** Returns the tree to copy into the configuration. */
export const configurationOf = ({ application, draft }: Edited): LatchkeyConfig => ({
  branding:
    application === undefined
      ? cleaned(draft)
      : { applications: { [application]: cleaned(draft) } },
});

/** The look of a draft, and of mails with it. */
export interface Appearance {
  look: Look;
  /** The logo in mails, which do not show every image. */
  mailLogo: Themed<string> | undefined;
}

/** The appearance that the draft would give, or its problems by member, such as `logo.dark`. */
export type Outcome =
  | { appearance: Appearance; problems?: undefined }
  | { appearance?: undefined; problems: ReadonlyMap<string, string> };

const servedAddresses = ({ configured }: Edited): ReadonlyMap<string, string> =>
  new Map(
    servedFiles.flatMap(({ application, files }) =>
      Object.entries(
        brandingSources(brandingOf(brandingOptions.parse(configured), application)),
      ).flatMap(([option, source]) => {
        const address = files[option];
        return address === undefined ? [] : [[source, address] as const];
      }),
    ),
  );

/** Checks the draft by the rules of the configuration, and returns its appearance. Files that are neither served nor chosen are not shown. */
export const outcomeOf = (edited: Edited): Outcome => {
  const parsed = brandingOptions.safeParse(brandingWith(edited));
  if (!parsed.success) {
    const depth = edited.application === undefined ? 0 : 2;
    const problems = parsed.error.issues.map(
      ({ path, message }) => [path.slice(depth).map(String).join("."), message] as const,
    );
    return { problems: new Map(problems) };
  }
  const served = servedAddresses(edited);
  const fileAddress = (source: string): string | undefined =>
    edited.chosenFiles.get(source) ?? served.get(source);
  const addressOf = (source: string): string =>
    fileAddress(source) ?? (isAddress(source) ? source : "");
  const branding = brandingOf(parsed.data, edited.application);
  const look = lookOf(branding, { appName: pageFacts.appName, addressOf });
  const hasFont = typeof look.font === "string" || look.font.file !== "";
  return {
    appearance: {
      look: {
        ...look,
        logo: look.logo?.light ? look.logo : undefined,
        font: hasFont ? look.font : "system",
      },
      mailLogo: mailLogo(branding.logo, (file) =>
        edited.hasBaseURL ? fileAddress(file) : undefined,
      ),
    },
  };
};
