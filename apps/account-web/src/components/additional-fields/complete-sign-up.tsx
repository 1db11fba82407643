import type { SignUpField } from "@latchkey/contracts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import type { ReactNode } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { facts } from "../../facts.ts";
import { shownLanguage, useTranslation } from "../../languages.ts";
import { CardPage } from "../card-page.tsx";
import { additionalFieldPaths, AdditionalFields } from "./additional-fields.tsx";
import { enteredFields, type FieldTexts, fieldValues } from "./field-values.ts";

interface CompleteSignUpProps {
  /** Creates the account with the values of the fields. */
  complete: (values: Record<string, unknown>) => Promise<void>;
  /** The fields that a user who has an account lacks. */
  fields?: readonly SignUpField[];
  aside?: ReactNode;
}

/** Takes the required fields that a sign-up by a mail or a provider lacks, before there is an account, or that a user lacks. */
export const CompleteSignUp = ({ complete, fields, aside }: CompleteSignUpProps) => {
  const t = useTranslation("signUp");
  const change = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (given: FieldTexts) =>
      complete(fieldValues(fields ?? facts.fields, given, shownLanguage())),
  });
  const form = useForm<{ fields: FieldTexts }>({
    defaultValues: { fields: {} },
    change,
    fieldOf: additionalFieldPaths,
    onSubmit: (given) => change.mutate(given.fields),
  });
  return (
    <CardPage
      title={t("complete.title")}
      lead={t(fields ? "complete.again" : "complete.text", { name: facts.branding.name })}
      aside={aside}
    >
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {t(fields ? "page:continue" : "submit")}
          </Button>
        }
      >
        <AdditionalFields
          field={form.field}
          fields={fields && enteredFields(fields, shownLanguage())}
          onlyRequired
        />
      </Form>
    </CardPage>
  );
};
