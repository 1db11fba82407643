import type { FormOf } from "@latchkey/ui/form/use-form.ts";
import { CheckField, TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { t } from "../../texts.ts";
import { useOption } from "../use-option.ts";
import type { ClientForm } from "./client-form.ts";

/** The scopes of an installation that configures none. */
export const defaultScopes: readonly string[] = ["openid", "profile", "email", "offline_access"];

/** Returns the scopes that clients may have. An admin who may not read settings sees the default ones. */
export const useScopes = (): readonly string[] => {
  const configured = useOption("oauthProvider.scopes");
  return Array.isArray(configured) ? configured.map(String) : defaultScopes;
};

const ScopeFields = ({ form }: ClientFieldsProps) => {
  const { value: chosen, onChange } = form.choice("scopes");
  const error = form.errorOf("scopes");
  const offered = [...new Set([...useScopes(), ...chosen])];
  return (
    <fieldset data-invalid={error !== undefined || undefined} className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{t("clients.fields.scopes")}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {offered.map((scope) => (
          <CheckField
            key={scope}
            label={<bdi className="font-mono text-xs">{scope}</bdi>}
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(
                offered.filter((one) => (one === scope ? target.checked : chosen.includes(one))),
              )
            }
          />
        ))}
      </div>
      {error !== undefined && <p className="text-sm text-danger">{error}</p>}
    </fieldset>
  );
};

interface ClientFieldsProps {
  form: FormOf<ClientForm>;
}

/** The fields of a client that can be changed later. They depend on its kind. */
export const ClientFields = ({ form }: ClientFieldsProps) => {
  const { field, choice } = form;
  const { value: kind } = choice("kind");
  return (
    <>
      <TextField
        {...field("name")}
        label={t("common.name")}
        hint={t("clients.fields.nameHint")}
        autoComplete="off"
      />
      {kind === "machine" ? (
        <TextField
          {...field("machineScopes")}
          label={t("clients.fields.machineScopes")}
          hint={t("clients.fields.machineScopesHint")}
          isCode
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <>
          <TextAreaField
            {...field("redirectUris")}
            label={t("clients.fields.redirectUris")}
            hint={t("clients.fields.redirectUrisHint")}
            isCode
            rows={3}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
          />
          <ScopeFields form={form} />
          {kind !== "native" && (
            <CheckField {...field("isTrusted")} label={t("clients.fields.trust")} />
          )}
        </>
      )}
    </>
  );
};
