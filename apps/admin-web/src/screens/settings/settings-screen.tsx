import { getRouteApi } from "@tanstack/react-router";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { zodResolver } from "@hookform/resolvers/zod";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { CircleCheck, CircleX } from "lucide-react";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { OptionsTab } from "./options-tab.tsx";
import { settingsSearch } from "./settings-search.ts";
import { unblockedText } from "../../components/rate-limits/unblock-address.tsx";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

const urlLengthMax = 2048;

const question = z.object({
  url: z
    .string()
    .min(1, t("settings.redirect.enterUrl"))
    .max(urlLengthMax, t("faults.tooLong", { max: urlLengthMax })),
  field: z.enum(["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]),
});

const fields = question.shape.field.options.map((value) => ({ value, label: value }));

interface Verdict {
  allowed: boolean;
  reason: string;
}

const VerdictNotice = ({ verdict: { allowed, reason } }: { verdict: Verdict }) => (
  <Notice tone={allowed ? "success" : "warning"}>
    <p className="flex items-center gap-1.5 font-medium [&_svg]:size-4">
      {allowed ? <CircleCheck aria-hidden="true" /> : <CircleX aria-hidden="true" />}
      {t(allowed ? "settings.redirect.allowed" : "settings.redirect.refused")}
    </p>
    <p>{reason}</p>
  </Notice>
);

const RedirectForm = () => {
  const redirectTest = useOperation(operations.gateway.adminTestRedirect, { showsError: true });
  const form = useForm<z.output<typeof question>>({
    resolver: zodResolver(question),
    defaultValues: { url: "", field: "callbackURL" },
    change: redirectTest,
    onSubmit: (body) => redirectTest.mutate({ body }),
  });
  return (
    <Form
      form={form}
      foot={
        <>
          <Button
            type="submit"
            kind="primary"
            className="self-start"
            isBusy={redirectTest.isPending}
          >
            {t("settings.redirect.test")}
          </Button>
          <div role="status" className="break-words">
            {redirectTest.data && !redirectTest.isPending && (
              <VerdictNotice verdict={redirectTest.data} />
            )}
          </div>
        </>
      }
    >
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          {...form.field("url")}
          label={t("settings.redirect.url")}
          className="min-w-64 flex-1"
          placeholder="https://app.example.com/welcome"
          autoComplete="off"
          spellCheck={false}
        />
        <Field label={t("common.field")} className="w-52">
          <Select choices={fields} {...form.choice("field")} />
        </Field>
      </div>
    </Form>
  );
};

/** Checks whether a redirect target is allowed, and says why. */
const RedirectsTab = () => (
  <Card title={t("palette.testRedirect")} className="max-w-3xl">
    <p className="mb-4 text-muted">
      {richText("settings.redirect.text", { option: <code>trustedOrigins</code> })}
    </p>
    <RedirectForm />
  </Card>
);

const blocked = z.object({
  ipAddress: z
    .string()
    .trim()
    .refine(
      (text) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success,
      t("settings.unblock.enter"),
    ),
});

/** Unblocks a rate-limited IP address. */
const RateLimitsTab = () => {
  const reset = useOperation(operations.gateway.adminResetRateLimits, {
    showsError: true,
    done: (reply): string => unblockedText(form.getValues("ipAddress").trim(), reply),
  });
  const form = useForm<z.output<typeof blocked>>({
    resolver: zodResolver(blocked),
    defaultValues: { ipAddress: "" },
    change: reset,
    onSubmit: (body) => reset.mutate({ body }),
  });
  return (
    <Card title={t("settings.unblock.title")} className="max-w-3xl">
      <p className="mb-4 text-muted">{t("settings.unblock.text")}</p>
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" className="self-start" isBusy={reset.isPending}>
            {t("unblock.action")}
          </Button>
        }
      >
        <TextField
          {...form.field("ipAddress")}
          label={t("common.address")}
          className="max-w-96"
          autoComplete="off"
          spellCheck={false}
        />
      </Form>
    </Card>
  );
};

const route = getRouteApi("/shell/settings");

export const SettingsScreen = () => {
  const { tab } = route.useSearch();
  const { may } = useAccess();
  const navigate = route.useNavigate();
  const resetsLimits = may("rateLimit:reset");
  // An admin who may do neither sees the options' refusal.
  const tabs = [
    ...(may("settings:read") || !resetsLimits
      ? [
          { value: "options", label: t("settings.tabs.options"), content: <OptionsTab /> },
          { value: "redirects", label: t("settings.tabs.redirects"), content: <RedirectsTab /> },
        ]
      : []),
    ...(resetsLimits
      ? [{ value: "rate-limits", label: t("settings.tabs.limits"), content: <RateLimitsTab /> }]
      : []),
  ];
  return (
    <Page title={t("screens.settings")}>
      <Tabs
        label={t("screens.settings")}
        value={(tabs.find(({ value }) => value === tab) ?? tabs[0])?.value ?? ""}
        onChange={(chosen) =>
          void navigate({
            to: ".",
            search: settingsSearch({ tab: chosen }),
            replace: true,
          })
        }
        tabs={tabs}
      />
    </Page>
  );
};
