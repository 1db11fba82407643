import { showEmail } from "@latchkey/contracts/email-address.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CardPage } from "../../components/card-page.tsx";
import { ScopeList } from "../../components/scope-list.tsx";
import { useTranslation } from "../../languages.ts";
import { Splash } from "../../shell/splash.tsx";

const route = getRouteApi("/device");
const { approveDevice, denyDevice, getDevice } = operations.oauth;

/** The texts on what is wrong with a code, by error code. */
const faults = {
  INVALID_USER_CODE: "wrong",
  EXPIRED_USER_CODE: "expired",
  DEVICE_CODE_ALREADY_PROCESSED: "decided",
} as const;

/** Says why a code does not work. */
const CodeError = ({ error }: { error: unknown }) => {
  const t = useTranslation("device");
  const code = error instanceof ApiError ? error.code : undefined;
  const fault = code !== undefined && code in faults && faults[code as keyof typeof faults];
  if (!fault) return <FormError error={error} />;
  return (
    <Notice tone="danger" isUrgent>
      {t(fault)}
    </Notice>
  );
};

const EnterCode = ({ error }: { error: unknown }) => {
  const t = useTranslation("device");
  const navigate = route.useNavigate();
  const form = useForm({
    defaultValues: { code: "" },
    onSubmit: ({ code }) => navigate({ search: { user_code: code.trim() } }),
  });
  return (
    <CardPage title={t("enterTitle")} lead={t("enterLead")}>
      {error !== null && <CodeError error={error} />}
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary">
            {t("next")}
          </Button>
        }
      >
        <TextField
          {...form.field("code", { validate: notBlank(t("errors:required")) })}
          label={t("code")}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          dir="ltr"
        />
      </Form>
    </CardPage>
  );
};

const alreadyDecided = new ApiError({
  status: 400,
  body: { code: "DEVICE_CODE_ALREADY_PROCESSED" },
});

/** Asks whether a device may sign in. */
const Decide = ({ code }: { code: string }) => {
  const t = useTranslation("device");
  const { session } = route.useRouteContext();
  const device = useQuery({
    queryKey: ["operation", "getDevice", code],
    queryFn: ({ signal }) => call(getDevice, { query: { user_code: code } }, signal),
    // A look at a decided request would say that its code was used.
    staleTime: Infinity,
  });
  const decide = useChange({
    mutationFn: (allows: boolean) =>
      call(allows ? approveDevice : denyDevice, { body: { userCode: code } }),
  });
  if (decide.isSuccess) {
    const isAllowed = decide.variables;
    return (
      <CardPage
        outcome={isAllowed ? "done" : "failed"}
        title={t(isAllowed ? "allowedTitle" : "deniedTitle")}
        lead={t(isAllowed ? "allowedText" : "deniedText")}
      />
    );
  }
  if (device.error) return <EnterCode error={device.error} />;
  if (!device.data) return <Splash />;
  const { data } = device;
  if (data.status !== "pending") return <EnterCode error={alreadyDecided} />;
  const [isAllowing, isDenying] = [
    decide.isPending && decide.variables,
    decide.isPending && !decide.variables,
  ];
  return (
    <CardPage
      title={t("title", { name: data.client_name ?? "" })}
      lead={t("lead", { email: showEmail(session.user.email), code: code.toUpperCase() })}
    >
      <ScopeList
        label={t("list")}
        scopes={(data.scope ?? "").split(" ").filter(Boolean)}
        instead={data.gets_session ? t("everything") : undefined}
      />
      <section aria-label={t("facts")}>
        <Facts
          facts={{
            ...(data.device_name !== undefined && { [t("name")]: data.device_name }),
            [t("address")]: data.address || t("unknown"),
            [t("browser")]: data.user_agent || t("unknown"),
            [t("asked")]: <RelativeTime at={data.requested_at} />,
          }}
        />
      </section>
      {decide.error && <CodeError error={decide.error} />}
      <Button kind="primary" isBusy={isAllowing} onClick={() => decide.mutate(true)}>
        {t("allow")}
      </Button>
      <Button isBusy={isDenying} onClick={() => decide.mutate(false)}>
        {t("deny")}
      </Button>
    </CardPage>
  );
};

/** Lets a device sign in whose code the user enters. */
export const DeviceScreen = () => {
  const { user_code: code } = route.useSearch();
  return code === undefined ? <EnterCode error={null} /> : <Decide key={code} code={code} />;
};
