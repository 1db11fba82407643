import { z } from "zod";

/** What the option tree's walkers read of a schema's own definition. */
export interface Definition {
  type: string;
  innerType?: z.ZodType;
  defaultValue?: unknown;
  entries?: Record<string, string>;
  values?: unknown[];
  options?: z.ZodType[];
  element?: z.ZodType;
  valueType?: z.ZodType;
  /** What a transformed value is given as. */
  in?: z.ZodType;
  /** What members without a name of the shape are. */
  catchall?: z.ZodType;
}

export const definitionOf = ({ def }: { def: unknown }): Definition => def as Definition;

/** The schema below its default, optionality and transformation. */
export const bareOption = (schema: z.ZodType): z.ZodType => {
  const { type, innerType, in: given } = definitionOf(schema);
  if (type === "pipe" && given) return bareOption(given);
  return innerType && ["default", "prefault", "optional"].includes(type)
    ? bareOption(innerType)
    : schema;
};

/** The members of a part of the tree, by name; none of anything else. */
export const membersOf = (schema: z.ZodType): Record<string, z.ZodType> => {
  const inner = bareOption(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
};

/** What an option means, in a sentence; empty for a part of the tree. */
export const meaningOf = (schema: z.ZodType): string =>
  schema.description ?? bareOption(schema).description ?? "";

/** What the members of an object that takes any name are, where it says more of them than that. */
export const anyMemberOf = (schema: z.ZodType): z.ZodType | undefined => {
  const { catchall } = definitionOf(bareOption(schema));
  return catchall && Object.keys(membersOf(catchall)).length > 0 ? catchall : undefined;
};

/** Whether options lie below, so that it is none itself. */
export const isPart = (schema: z.ZodType): boolean =>
  bareOption(schema) instanceof z.ZodObject && meaningOf(schema) === "";
