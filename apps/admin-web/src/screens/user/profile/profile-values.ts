import { showEmail } from "@latchkey/contracts/email-address.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { emailFault } from "../../../components/users/email-text.ts";
import type { User } from "../use-user.ts";
import {
  type EditableField,
  readFieldText,
  textOfValue,
} from "../../../components/fields/field-text.ts";
import { t } from "../../../texts.ts";

/** The texts of the controls. Additional fields are named by `fieldKey`. */
export type ProfileValues = Record<string, string>;

/** Keeps an additional field apart from a member of every user with the same name. */
export const fieldKey = ({ name }: Pick<EditableField, "name">): string => `field:${name}`;

/** Returns the texts of a user. A user has a username or phone number only while these are on. */
export const valuesOf = (user: User, fields: readonly EditableField[]): ProfileValues => ({
  name: user.name,
  email: showEmail(user.email),
  image: user.image ?? "",
  ...(user.username !== undefined && { username: user.username ?? "" }),
  ...(user.phoneNumber !== undefined && { phoneNumber: user.phoneNumber ?? "" }),
  ...Object.fromEntries(
    fields.map((field) => [
      fieldKey(field),
      textOfValue(field, (user as Readonly<Record<string, unknown>>)[field.name]),
    ]),
  ),
});

/** Returns the names of the texts that differ from the saved ones. */
export const changedNames = (values: ProfileValues, saved: ProfileValues): string[] =>
  Object.keys(values).filter((name) => values[name] !== (saved[name] ?? ""));

interface ReadProfile {
  /** The changed members, as the operation takes them. */
  data: Record<string, unknown>;
  /** Error messages, by the name of the text. */
  faults: Partial<Record<string, string>>;
}

const nameMax = 1024;

/** Members that a user may lack. */
const nullable = new Set(["image", "phoneNumber"]);

const faultOf = (name: string, text: string): string | undefined => {
  if (name === "email" && !looksLikeEmail(text)) return emailFault;
  if (name === "name" && text === "") return t("faults.enterName");
  if (name === "name" && text.length > nameMax) return t("faults.tooLong", { max: nameMax });
  return name === "username" && text === "" ? t("profile.enterUsername") : undefined;
};

/** Reads the changed texts. */
export const readProfile = (
  values: ProfileValues,
  saved: ProfileValues,
  fields: readonly EditableField[],
): ReadProfile => {
  const data: Record<string, unknown> = {};
  const faults: Partial<Record<string, string>> = {};
  for (const key of changedNames(values, saved)) {
    const field = fields.find((one) => fieldKey(one) === key);
    const text = values[key] ?? "";
    if (field) {
      const read = readFieldText(field, text);
      if ("fault" in read) faults[key] = read.fault;
      else data[field.name] = read.value;
      continue;
    }
    const fault = faultOf(key, text.trim());
    if (fault) faults[key] = fault;
    else data[key] = nullable.has(key) ? text.trim() || null : text.trim();
  }
  return { data, faults };
};
