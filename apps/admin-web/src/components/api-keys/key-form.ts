import { z } from "@latchkey/ui/zod-without-eval.ts";
import { readMetadata } from "./metadata-text.ts";
import { readPermissions } from "./permissions-text.ts";
import { t } from "../../texts.ts";

const countMax = 2_147_483_647;
const daysMax = 36_500;

/** Accepts a whole number in a range, or an empty text. */
const whole = (max: number, min = 1) =>
  z
    .string()
    .trim()
    .regex(/^\d*$/, t("keyForm.wholeNumber"))
    .refine((text) => text === "" || Number(text) >= min, t("keyForm.atLeast", { min }))
    .refine((text) => Number(text) <= max, t("keyForm.atMost", { max }));

export const windowUnits = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
} as const;
export type WindowUnit = keyof typeof windowUnits;

const windowMax = 365 * windowUnits.day;
const counted = whole(countMax);

interface Rate {
  rate: "default" | "own" | "none";
  rateMax: string;
  rateWindow: string;
  rateUnit: WindowUnit;
}

/** Returns the errors of the rate fields. They are hidden, and thus not checked, unless the key has its own rate. */
const rateFaults = ({ rate, rateMax, rateWindow, rateUnit }: Rate) => {
  if (rate !== "own") return {};
  const faultOf = (text: string) => counted.safeParse(text).error?.issues[0]?.message;
  const isLong = Number(rateWindow) * windowUnits[rateUnit] > windowMax;
  return {
    rateMax: rateMax === "" ? t("keyForm.enterMaximum") : faultOf(rateMax),
    rateWindow:
      rateWindow === ""
        ? t("keyForm.enterWindow")
        : (faultOf(rateWindow) ?? (isLong ? t("keyForm.windowTooLong") : undefined)),
  };
};

/** The differences between the form of a new key and that of an existing one. */
interface FormKind {
  /** The least number of uses. An existing key may have none left. */
  usesMin: number;
  /** A text of permissions that is accepted in any case. The permissions of an existing key may be impossible to write as text. */
  unchanged?: string;
}

/** Returns the form of a key. Numbers are text, and empty if not set. */
const formOf = ({ usesMin, unchanged = "" }: FormKind) =>
  z
    .object({
      name: z
        .string()
        .trim()
        .max(255, t("faults.tooLong", { max: 255 })),
      prefix: z
        .string()
        .trim()
        .regex(/^[a-zA-Z0-9_-]*$/, t("keyForm.prefixCharacters"))
        .max(255, t("faults.tooLong", { max: 255 })),
      expiresInDays: whole(daysMax),
      remaining: whole(countMax, usesMin),
      refillAmount: whole(countMax),
      refillDays: whole(daysMax),
      rate: z.enum(["default", "own", "none"]),
      rateMax: z.string().trim(),
      rateWindow: z.string().trim(),
      rateUnit: z.enum(["second", "minute", "hour", "day"]),
      permissions: z
        .string()
        .refine(
          (text) => text === unchanged || readPermissions(text) !== undefined,
          t("keyForm.permissionsFault"),
        ),
      metadata: z
        .string()
        .refine(
          (text) => readMetadata(text) !== undefined,
          t("faults.json", { example: '{"a": 1}' }),
        ),
    })
    .refine(({ refillAmount, refillDays }) => !refillDays || refillAmount, {
      path: ["refillAmount"],
      message: t("keyForm.enterRefillUses"),
    })
    .refine(({ refillAmount, refillDays }) => !refillAmount || refillDays, {
      path: ["refillDays"],
      message: t("keyForm.enterRefillDays"),
    })
    .superRefine((form, { addIssue }) => {
      for (const [name, message] of Object.entries(rateFaults(form)))
        if (message) addIssue({ code: "custom", path: [name], message });
    });

/** The form of a new key. */
export const keyForm = formOf({ usesMin: 1 });
export type KeyForm = z.output<typeof keyForm>;

/** Returns the form of an existing key with these permissions. */
export const editedKeyForm = (unchanged: string) => formOf({ usesMin: 0, unchanged });

/** The fields of error codes. */
export const keyFieldOf = {
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: "expiresInDays",
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: "expiresInDays",
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: "expiresInDays",
} as const;

export const emptyKeyForm: KeyForm = {
  name: "",
  prefix: "",
  expiresInDays: "",
  remaining: "",
  refillAmount: "",
  refillDays: "",
  rate: "default",
  rateMax: "",
  rateWindow: "",
  rateUnit: "hour",
  permissions: "",
  metadata: "",
};
