import { emptyKeyForm, type KeyForm, windowUnits } from "../../components/api-keys/key-form.ts";
import { readMetadata, writeMetadata } from "../../components/api-keys/metadata-text.ts";
import { readPermissions, writePermissions } from "../../components/api-keys/permissions-text.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";

const daySeconds = 86_400;

/** The change of the expiry of a key. */
export type ExpiryChange = "keep" | "never" | "days";

type Edited = Pick<
  ApiKey,
  | "name"
  | "remaining"
  | "refillAmount"
  | "refillInterval"
  | "rateLimitEnabled"
  | "rateLimitMax"
  | "rateLimitTimeWindow"
  | "permissions"
  | "metadata"
>;

const textOf = (value: number | null): string => (value === null ? "" : String(value));

/** Returns the largest unit that divides a window evenly. */
const windowOf = (ms: number): Pick<KeyForm, "rateUnit" | "rateWindow"> => {
  const units = (["day", "hour", "minute", "second"] as const).map(
    (unit) => [unit, windowUnits[unit]] as const,
  );
  const [rateUnit, length] = units.find(([, each]) => ms % each === 0) ?? ["second", 1000];
  return { rateUnit, rateWindow: String(Math.ceil(ms / length)) };
};

const rateOf = ({ rateLimitEnabled, rateLimitMax, rateLimitTimeWindow }: Edited) =>
  rateLimitEnabled && rateLimitMax !== null && rateLimitTimeWindow !== null
    ? { rate: "own" as const, rateMax: String(rateLimitMax), ...windowOf(rateLimitTimeWindow) }
    : { rate: "none" as const };

/** Returns the form with the values of a key. */
export const formOfKey = (key: Edited): KeyForm => ({
  ...emptyKeyForm,
  name: key.name ?? "",
  remaining: textOf(key.remaining),
  refillAmount: textOf(key.refillAmount),
  refillDays: textOf(key.refillInterval),
  ...rateOf(key),
  permissions: writePermissions(key.permissions ?? {}),
  metadata: writeMetadata(key.metadata),
});

type Names = readonly (keyof KeyForm)[];

const usesChange = (form: KeyForm, isChanged: (names: Names) => boolean) => {
  const isRefilled = form.refillAmount !== "";
  const refill = {
    refillAmount: isRefilled ? Number(form.refillAmount) : null,
    refillInterval: isRefilled ? Number(form.refillDays) : null,
  };
  // As for a new key, a refill limits the uses from the beginning.
  const blank = isRefilled ? Number(form.refillAmount) : null;
  const isRefillNew = isChanged(["refillAmount", "refillDays"]);
  const isLimitNew =
    isChanged(["remaining"]) || (form.remaining === "" && isRefilled && isRefillNew);
  return {
    ...(isRefillNew && refill),
    ...(isLimitNew && { remaining: form.remaining === "" ? blank : Number(form.remaining) }),
  };
};

const rateChange = (form: KeyForm, isChanged: (names: Names) => boolean) => {
  if (!isChanged(["rate", "rateMax", "rateWindow", "rateUnit"])) return {};
  if (form.rate === "none") return { rateLimitEnabled: false };
  return {
    rateLimitEnabled: true,
    rateLimitMax: Number(form.rateMax),
    // The form rounds a window that is not a whole number of seconds.
    ...(isChanged(["rate", "rateWindow", "rateUnit"]) && {
      rateLimitTimeWindow: Number(form.rateWindow) * windowUnits[form.rateUnit],
    }),
  };
};

const permissionsChange = (text: string) => {
  const permissions = readPermissions(text) ?? {};
  return { permissions: Object.keys(permissions).length > 0 ? permissions : null };
};

const expiryChange = (form: KeyForm, expiry: ExpiryChange) => {
  if (expiry === "keep") return {};
  return { expiresIn: expiry === "never" ? null : Number(form.expiresInDays) * daySeconds };
};

/** Returns only the changes of a valid form, so that nothing that happened meanwhile is reverted. */
export const changeOfKey = (form: KeyForm, before: KeyForm, expiry: ExpiryChange) => {
  const isChanged = (names: Names) => names.some((name) => form[name] !== before[name]);
  return {
    ...(isChanged(["name"]) && { name: form.name }),
    ...usesChange(form, isChanged),
    ...rateChange(form, isChanged),
    ...(isChanged(["permissions"]) && permissionsChange(form.permissions)),
    ...(isChanged(["metadata"]) && { metadata: readMetadata(form.metadata) ?? null }),
    ...expiryChange(form, expiry),
  };
};
