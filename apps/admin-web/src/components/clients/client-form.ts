import { z } from "@latchkey/ui/zod-without-eval.ts";
import { t } from "../../texts.ts";
import { type Client, type ClientKind, kindOf } from "./client.ts";

/** The values of the form of a client. */
export interface ClientForm {
  kind: ClientKind;
  name: string;
  /** One on each line. */
  redirectUris: string;
  scopes: string[];
  /** Names separated by blanks. */
  machineScopes: string;
  isTrusted: boolean;
}

const namesIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const isForUsers = ({ kind }: Pick<ClientForm, "kind">): boolean => kind !== "machine";

/** The rules of the form. The server decides which redirect URIs it allows. */
export const clientRules = z
  .object({
    kind: z.enum(["web", "browser", "native", "machine"]),
    name: z
      .string()
      .trim()
      .min(1, t("faults.enterName"))
      .max(200, t("faults.tooLong", { max: 200 })),
    redirectUris: z.string(),
    scopes: z.array(z.string()),
    machineScopes: z.string(),
    isTrusted: z.boolean(),
  })
  .refine(
    ({ kind, redirectUris }) =>
      kind === "machine" ||
      (namesIn(redirectUris).length > 0 && namesIn(redirectUris).every((uri) => URL.canParse(uri))),
    { path: ["redirectUris"], message: t("clients.fields.enterUris") },
  )
  .refine(({ kind, scopes }) => kind === "machine" || scopes.length > 0, {
    path: ["scopes"],
    message: t("clients.fields.chooseScope"),
  }) satisfies z.ZodType<ClientForm>;

/** The names of the fields in answers of the operations. */
export const fieldOfMember = {
  client_name: "name",
  redirect_uris: "redirectUris",
  scope: "scopes",
  client_credentials_scopes: "machineScopes",
  skip_consent: "isTrusted",
} as const;

/** Returns the members of a request that the form decides for each kind of client. */
const changeable = (form: ClientForm) => ({
  client_name: form.name.trim(),
  ...(isForUsers(form)
    ? {
        redirect_uris: namesIn(form.redirectUris),
        scope: form.scopes.join(" "),
        skip_consent: form.kind !== "native" && form.isTrusted,
      }
    : { client_credentials_scopes: namesIn(form.machineScopes) }),
});

const kindMembers = {
  web: {},
  browser: { token_endpoint_auth_method: "none" },
  native: { token_endpoint_auth_method: "none", application_type: "native" },
  machine: { grant_types: ["client_credentials"] },
} as const;

/** Returns the body of a new client. */
export const clientBody = (form: ClientForm) => {
  const { grant_types, ...members } = { grant_types: undefined, ...kindMembers[form.kind] };
  return {
    ...members,
    ...(grant_types && { grant_types: [...grant_types] }),
    ...changeable(form),
  };
};

export const formOfClient = (client: Client): ClientForm => ({
  kind: kindOf(client),
  name: client.client_name ?? "",
  redirectUris: client.redirect_uris.join("\n"),
  scopes: namesIn(client.scope ?? ""),
  machineScopes: client.client_credentials_scopes.join(" "),
  isTrusted: client.skip_consent,
});

/** Returns only what a form changes, so that nothing that happened meanwhile is reverted. */
export const changeOfClient = (form: ClientForm, before: ClientForm) => {
  const former: Readonly<Record<string, unknown>> = changeable(before);
  const changed = Object.entries(changeable(form)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name]),
  );
  return Object.fromEntries(changed) as Partial<ReturnType<typeof changeable>>;
};
