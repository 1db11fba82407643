import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import type { ReactNode } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { facts } from "../../facts.ts";
import { shownLanguage, useTranslation } from "../../languages.ts";
import { CardPage } from "../card-page.tsx";
import { additionalFieldPaths, AdditionalFields } from "./additional-fields.tsx";
import { type FieldTexts, fieldValues } from "./field-values.ts";

interface CompleteSignUpProps {
  /** Creates the account with the values of the fields. */
  complete: (values: Record<string, unknown>) => Promise<void>;
  aside?: ReactNode;
}

/** Takes the fields that a sign-up by a mail or a provider lacks. There is no account before. */
export const CompleteSignUp = ({ complete, aside }: CompleteSignUpProps) => {
  const t = useTranslation("signUp");
  const change = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (given: FieldTexts) => complete(fieldValues(facts.fields, given, shownLanguage())),
  });
  const form = useForm<{ fields: FieldTexts }>({
    defaultValues: { fields: {} },
    change,
    fieldOf: additionalFieldPaths,
    onSubmit: ({ fields }) => change.mutate(fields),
  });
  return (
    <CardPage
      title={t("complete.title")}
      lead={t("complete.text", { name: facts.branding.name })}
      aside={aside}
    >
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {t("submit")}
          </Button>
        }
      >
        <AdditionalFields field={form.field} onlyRequired />
      </Form>
    </CardPage>
  );
};
