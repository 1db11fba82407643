import { createLatchkey } from "@latchkey/server";
import { createAuthClient } from "better-auth/client";
import { inferAdditionalFields, organizationClient } from "better-auth/client/plugins";
import type { LatchkeyFields, LatchkeyOptions, LatchkeyOrganization } from "./latchkey.d.ts";

const url = "https://auth.example.com/api/auth";

/** The client of an application, with the fields and permissions of its installation. */
export const auth = createAuthClient({
  baseURL: url,
  plugins: [inferAdditionalFields<LatchkeyOptions>(), organizationClient<LatchkeyOrganization>()],
});

/** The plan of the signed-in user. */
export const readPlan = async (): Promise<"free" | "paid" | undefined> => {
  const { data } = await auth.getSession();
  return data?.user.plan;
};

/** The VAT number of the active organization. */
export const readVatId = async (): Promise<string | null | undefined> => {
  const { data } = await auth.organization.getFullOrganization();
  return data?.vatId;
};

/** Whether the signed-in user may pay invoices of the active organization. */
export const mayPay = async (): Promise<boolean> => {
  const { data } = await auth.organization.hasPermission({ permissions: { invoice: ["pay"] } });
  return data?.success ?? false;
};

const latchkey = createLatchkey<LatchkeyFields>({ url });

/** The plan of the caller of a server. */
export const planOf = async (request: Request): Promise<"free" | "paid" | null> => {
  const caller = await latchkey.getSession(request);
  return caller.isSignedIn ? (caller.user?.plan ?? null) : null;
};
