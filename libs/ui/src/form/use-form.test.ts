import { createElement, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { CheckField } from "../components/fields.tsx";
import { type FormOf, useForm } from "./use-form.ts";

interface Values {
  email: string;
  terms: boolean;
}

/** Returns a form that renders only the field `terms`, after the server has refused it. */
const refusedForm = (error: ApiError): FormOf<Values> => {
  const forms: FormOf<Values>[] = [];
  const Screen = () => {
    const [refusal, setRefusal] = useState<ApiError>();
    const form = useForm<Values>({
      defaultValues: { email: "", terms: false },
      change: { error: refusal ?? null, isPending: false },
      onSubmit: () => {},
    });
    forms.push(form);
    form.field("terms");
    if (!refusal) setRefusal(error);
    return null;
  };
  renderToStaticMarkup(createElement(Screen));
  const form = forms.at(-1);
  if (!form) throw new Error("nothing was rendered");
  return form;
};

const refusalOf = (path: string) =>
  new ApiError({ status: 400, body: { issues: [{ path, message: "must be accepted" }] } });

test("a field that is rendered shows the refusal of its value", () => {
  const form = refusedForm(refusalOf("terms"));
  expect(form.refusal).toBeNull();
  const { error } = form.field("terms");
  const html = renderToStaticMarkup(createElement(CheckField, { label: "Terms", error }));
  expect(error).toBeDefined();
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain(`>${error}</p>`);
});

test.each([
  refusalOf("email"),
  new ApiError({ status: 400, body: { code: "INVALID_EMAIL", message: "Invalid email" } }),
])("the form shows the refusal of a value without a field: %s", (error) => {
  expect(refusedForm(error).refusal).toBe(error);
});
