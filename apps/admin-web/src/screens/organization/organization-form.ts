import { z } from "zod";
import type { Organization } from "./use-organization.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON of an object; nothing at all is an empty one. */
export const readMetadata = (text: string): Record<string, unknown> | undefined => {
  try {
    const read: unknown = JSON.parse(text.trim() || "{}");
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
};

/** What of an organization is set by hand. */
export const organizationForm = z.object({
  name: z.string().trim().min(1, "Enter a name.").max(255, "Use 255 characters at most."),
  slug: z.string().trim().min(1, "Enter a slug.").max(255, "Use 255 characters at most."),
  logo: z.string().trim().max(8192, "Use 8,192 characters at most."),
  metadata: z
    .string()
    .refine(
      (text) => readMetadata(text) !== undefined,
      'Write an object of JSON, such as {"a": 1}.',
    ),
});
export type OrganizationForm = z.output<typeof organizationForm>;

type Formed = Pick<Organization, "name" | "slug" | "logo" | "metadata">;

export const formOf = ({ name, slug, logo, metadata }: Formed): OrganizationForm => ({
  name,
  slug,
  logo: logo ?? "",
  metadata: metadata === null ? "" : JSON.stringify(JSON.parse(metadata), null, 2),
});

/** What is sent of a form: what is another than before. */
export const changeOf = (form: OrganizationForm, before: OrganizationForm) => ({
  ...(form.name !== before.name && { name: form.name }),
  ...(form.slug !== before.slug && { slug: form.slug }),
  ...(form.logo !== before.logo && { logo: form.logo }),
  ...(form.metadata !== before.metadata && { metadata: readMetadata(form.metadata) ?? {} }),
});
