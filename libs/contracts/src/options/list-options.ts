import type { z } from "zod";
import { type Options, optionsSchema } from "../options.ts";
import { maskOption, type Secrecy } from "./mask-option.ts";
import { anyMemberOf, bareOption, isPart, meaningOf, membersOf } from "./option-tree.ts";

/** An option with its value, masked so that it can be shown. */
export interface ListedOption {
  name: string;
  /** Markdown of one or more sentences. */
  description: string;
  /** As JSON, masked if it is secret. Null if it is not set. */
  value: unknown;
  isSecret: boolean;
}

const secrecyOf = (schema: z.ZodType): Secrecy | undefined => {
  const said = schema.meta()?.["secret"] ?? bareOption(schema).meta()?.["secret"];
  return said as Secrecy | undefined; // as the options say it
};

const membersIn = (value: unknown): Record<string, unknown> =>
  (value ?? {}) as Record<string, unknown>; // as the schema has checked

const listBelow = (schema: z.ZodType, name: string, value: unknown): ListedOption[] => {
  const members = membersOf(schema);
  const below = (member: string, of: z.ZodType) =>
    listBelow(of, name === "" ? member : `${name}.${member}`, membersIn(value)[member]);
  const anyMember = anyMemberOf(schema);
  if (anyMember)
    return Object.keys(membersIn(value)).flatMap((id) =>
      below(id, Object.hasOwn(members, id) ? (members[id] ?? anyMember) : anyMember),
    );
  if (isPart(schema)) return Object.entries(members).flatMap(([member, of]) => below(member, of));
  const secrecy = secrecyOf(schema);
  const isSecret = secrecy !== undefined;
  return [{ name, description: meaningOf(schema), value: maskOption(value, secrecy), isSecret }];
};

/** Returns every option under its name in the configuration reference, with provider ids filled in. */
export const listOptions = (options: Options): ListedOption[] =>
  listBelow(optionsSchema, "", options);
