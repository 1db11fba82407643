import { readMetadata } from "../../../components/api-keys/metadata-text.ts";
import { readPermissions } from "../../../components/api-keys/permissions-text.ts";
import type { KeyOwner } from "../../../components/api-keys/owner-choice.ts";
import { type KeyForm, windowUnits } from "../../../components/api-keys/key-form.ts";

const daySeconds = 86_400;

const rateOf = ({ rate, rateMax, rateWindow, rateUnit }: KeyForm) => {
  if (rate === "default") return {};
  if (rate === "none") return { rateLimitEnabled: false };
  return {
    rateLimitEnabled: true,
    rateLimitMax: Number(rateMax),
    rateLimitTimeWindow: Number(rateWindow) * windowUnits[rateUnit],
  };
};

/** Returns the request body of a valid form. Omits empty fields, so that the installation's defaults apply. */
export const keyBody = (form: KeyForm, owner: KeyOwner) => {
  const permissions = readPermissions(form.permissions) ?? {};
  return {
    ...owner,
    ...(form.name && { name: form.name }),
    ...(form.prefix && { prefix: form.prefix }),
    ...(form.expiresInDays && { expiresIn: Number(form.expiresInDays) * daySeconds }),
    ...(form.remaining && { remaining: Number(form.remaining) }),
    ...(form.refillAmount && {
      refillAmount: Number(form.refillAmount),
      refillInterval: Number(form.refillDays),
    }),
    ...rateOf(form),
    ...(form.metadata.trim() && { metadata: readMetadata(form.metadata) }),
    ...(Object.keys(permissions).length > 0 && { permissions }),
  };
};
