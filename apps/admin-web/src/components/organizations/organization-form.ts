import { z } from "@latchkey/ui/zod-without-eval.ts";
import { t } from "../../texts.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses a JSON object. Empty text is an empty object. Returns undefined for anything else. */
export const readMetadata = (text: string): Record<string, unknown> | undefined => {
  try {
    const read: unknown = JSON.parse(text.trim() || "{}");
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
};

/** Validates a text without its surrounding blanks, but keeps them, so that saving does not change an untouched field. */
const text = (max: number) =>
  z.string().refine((given) => given.trim().length <= max, t("faults.tooLong", { max }));
const said = (message: string) => text(255).refine((given) => given.trim() !== "", message);

/** The editable fields of an organization. */
export const organizationForm = z.object({
  name: said(t("faults.enterName")),
  slug: said(t("faults.enterSlug")),
  logo: text(8192),
  metadata: z
    .string()
    .refine((text) => readMetadata(text) !== undefined, t("faults.json", { example: '{"a": 1}' })),
});
export type OrganizationForm = z.output<typeof organizationForm>;

interface Formed {
  name: string;
  slug: string;
  logo: string | null;
  /** JSON. */
  metadata: string | null;
}

export const formOf = ({ name, slug, logo, metadata }: Formed): OrganizationForm => ({
  name,
  slug,
  logo: logo ?? "",
  metadata: metadata === null ? "" : JSON.stringify(JSON.parse(metadata), null, 2),
});

/** Returns the changed fields to send, without surrounding blanks. */
export const changeOf = (form: OrganizationForm, before: OrganizationForm) => ({
  ...(form.name !== before.name && { name: form.name.trim() }),
  ...(form.slug !== before.slug && { slug: form.slug.trim() }),
  ...(form.logo !== before.logo && { logo: form.logo.trim() }),
  ...(form.metadata !== before.metadata && { metadata: readMetadata(form.metadata) ?? {} }),
});

/** Suggests a slug for a name: lower-case letters and digits, joined by hyphens. Empty if the name has none. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 64);
