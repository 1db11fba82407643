import type { AdditionalField } from "@latchkey/contracts";
import { t } from "../../texts.ts";

/** An additional field that an admin can edit. */
export interface EditableField {
  readonly name: string;
  readonly type: AdditionalField["type"];
  readonly required: boolean;
}

const types: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "boolean",
  "date",
  "string[]",
  "number[]",
]);

const isType = (type: unknown): type is AdditionalField["type"] =>
  types.has(type) || (Array.isArray(type) && type.every((value) => typeof value === "string"));

/**
 * Reads an option `additionalFields` as settings show it. Leaves out fields that no reply returns, because their values cannot be
 * shown.
 */
export const editableFields = (option: unknown): EditableField[] =>
  typeof option !== "object" || option === null
    ? []
    : Object.entries(option as Record<string, Partial<AdditionalField>>).flatMap(
        ([name, { type, required = true, returned = true }]) =>
          returned && isType(type) ? [{ name, type, required }] : [],
      );

const minuteLength = "2026-01-01T00:00".length;

/** Returns the text of a stored value for its control. A list has one value on each line. */
export const textOfValue = ({ type }: EditableField, value: unknown): string => {
  if (Array.isArray(value)) return value.join("\n");
  if (typeof value === "string" && type === "date") return value.slice(0, minuteLength);
  const isText = ["string", "number", "boolean"].includes(typeof value);
  return isText ? `${value as string | number | boolean}` : "";
};

/** The value of a text, or what is wrong with it. */
type ReadText = { readonly value: unknown } | { readonly fault: string };

const readNumber = (text: string): number | undefined => {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : undefined;
};

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

const readNumbers = (text: string): ReadText => {
  const numbers = linesOf(text).map(readNumber);
  return numbers.includes(undefined)
    ? { fault: t("fields.enterNumberPerLine") }
    : { value: numbers };
};

const readDate = (text: string): ReadText => {
  const time = Date.parse(`${text}Z`);
  return Number.isNaN(time)
    ? { fault: t("fields.enterDate") }
    : { value: new Date(time).toISOString() };
};

/** Reads the text of a control as a value of the field's type. An empty text clears an optional field. */
export const readFieldText = ({ type, required }: EditableField, text: string): ReadText => {
  if (text === "") return required ? { fault: t("fields.enterValue") } : { value: null };
  if (type === "number") {
    const number = readNumber(text);
    return number === undefined ? { fault: t("fields.enterNumber") } : { value: number };
  }
  if (type === "boolean") return { value: text === "true" };
  if (type === "date") return readDate(text);
  if (type === "string[]") return { value: linesOf(text) };
  return type === "number[]" ? readNumbers(text) : { value: text };
};
