import { z } from "zod";

/** The members of a zod schema's definition that are read here. */
export interface Definition {
  type: string;
  innerType?: z.ZodType;
  defaultValue?: unknown;
  entries?: Record<string, string>;
  values?: unknown[];
  options?: z.ZodType[];
  element?: z.ZodType;
  valueType?: z.ZodType;
  /** The input of a transformation. */
  in?: z.ZodType;
  /** The schema of members that the shape does not name. */
  catchall?: z.ZodType;
}

export const definitionOf = ({ def }: { def: unknown }): Definition => def as Definition;

/** Returns the schema below its default, optionality and transformation. */
export const bareOption = (schema: z.ZodType): z.ZodType => {
  const { type, innerType, in: inputSchema } = definitionOf(schema);
  if (type === "pipe" && inputSchema) return bareOption(inputSchema);
  return innerType && ["default", "prefault", "optional"].includes(type)
    ? bareOption(innerType)
    : schema;
};

/** Returns the members of a part of the tree, by name. Returns none for anything else. */
export const membersOf = (schema: z.ZodType): Record<string, z.ZodType> => {
  const inner = bareOption(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
};

/** Returns the description of an option. Empty for a part of the tree. */
export const meaningOf = (schema: z.ZodType): string =>
  schema.description ?? bareOption(schema).description ?? "";

/** Returns the schema of any further member, if that is a part of the tree. */
export const anyMemberOf = (schema: z.ZodType): z.ZodType | undefined => {
  const { catchall } = definitionOf(bareOption(schema));
  return catchall && Object.keys(membersOf(catchall)).length > 0 ? catchall : undefined;
};

/** Returns whether this is a part of the tree with options below, not an option itself. */
export const isPart = (schema: z.ZodType): boolean =>
  bareOption(schema) instanceof z.ZodObject && meaningOf(schema) === "";
