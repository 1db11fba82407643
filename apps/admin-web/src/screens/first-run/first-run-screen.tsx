import { useQuery, useQueryClient } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate, getRouteApi, useLocation } from "@tanstack/react-router";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { useEffect, useState } from "react";
import { Unread } from "../../components/errors/error-state.tsx";
import { signInAddress } from "../../access/account-web.ts";
import { FrontPage } from "../../shell/front-page.tsx";
import { accessQuery } from "../../access/access-query.ts";
import { emailText } from "../../components/users/email-text.ts";
import {
  requiredFieldPaths,
  RequiredFields,
  requiredFields,
  startTexts,
} from "../../components/users/required-fields.tsx";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const route = getRouteApi("/first-run");

/**
 * Returns the token from the fragment of the address. Removes it from the address immediately, so that it does not stay in the
 * browser's history.
 */
const useLinkToken = (): string | undefined => {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = route.useNavigate();
  const linkToken = new URLSearchParams(hash).get("token") ?? undefined;
  const [token, setToken] = useState(linkToken);
  if (linkToken !== undefined && linkToken !== token) setToken(linkToken);
  useEffect(() => {
    if (linkToken !== undefined) void navigate({ to: ".", hash: "", replace: true });
  }, [linkToken, navigate]);
  return token;
};

const firstAdmin = z
  .object({
    name: z.string().trim().min(1, t("firstRun.enterName")),
    email: emailText,
    password: z.string().min(1, t("firstRun.enterPassword")),
    again: z.string(),
    fields: requiredFields,
  })
  .refine(({ password, again }) => password === again, {
    path: ["again"],
    message: t("firstRun.passwordsDiffer"),
  });

const fields = [
  { name: "name", label: t("common.name"), type: "text", autoComplete: "name" },
  { name: "email", label: t("common.email"), type: "email", autoComplete: "username" },
  { name: "password", label: t("common.password"), type: "password", autoComplete: "new-password" },
  {
    name: "again",
    label: t("firstRun.confirmPassword"),
    type: "password",
    autoComplete: "new-password",
  },
] as const;

const FirstRunForm = ({ token }: { token: string }) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useOperation(operations.identity.completeFirstRun, {
    showsError: true,
    done: t("firstRun.done"),
    onDone: async () => {
      await client.fetchQuery({ ...accessQuery, staleTime: 0 });
      await navigate({ to: "/", replace: true });
    },
  });
  const form = useForm<z.input<typeof firstAdmin>, z.output<typeof firstAdmin>>({
    resolver: zodResolver(firstAdmin),
    defaultValues: { name: "", email: "", password: "", again: "", fields: startTexts(true) },
    change: create,
    fieldOf: requiredFieldPaths,
    onSubmit: ({ name, email, password, fields: values }) =>
      create.mutate({ body: { ...values, token, name, email, password } }),
  });
  return (
    <Form
      form={form}
      foot={
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {t("firstRun.action")}
        </Button>
      }
    >
      {fields.map(({ name, ...rest }) => (
        <TextField key={name} {...form.field(name)} {...rest} autoFocus={name === "name"} />
      ))}
      <RequiredFields form={form} />
    </Form>
  );
};

interface ClosedProps {
  /** The reason why no admin can be created here. */
  reason: string;
}

const Closed = ({ reason }: ClosedProps) => (
  <>
    <p>
      {reason}{" "}
      {richText("firstRun.otherWays", {
        command: <code className="font-mono">npx latchkey create-admin</code>,
      })}
    </p>
    <a href={signInAddress()} className={buttonStyle("primary")}>
      {t("firstRun.signIn")}
    </a>
  </>
);

const Content = ({ token }: { token: string }) => {
  const reading = useQuery(operationQuery(operations.identity.checkFirstRun, { body: { token } }));
  const { data } = reading;
  if (!data) return <Unread reading={reading} className="h-72" />;
  if (data.isOpen) return <FirstRunForm token={token} />;
  return <Closed reason={t("firstRun.invalid")} />;
};

/** Creates the first admin of a new installation. */
export const FirstRunScreen = () => {
  const token = useLinkToken();
  return (
    <FrontPage title={t("firstRun.title")}>
      {token === undefined ? (
        <Closed reason={t("firstRun.noToken")} />
      ) : (
        <Content key={token} token={token} />
      )}
    </FrontPage>
  );
};
