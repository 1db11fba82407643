import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationKey, operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { SelectField } from "@latchkey/ui/components/fields.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import type { Member, PartProps } from "./organization.ts";

const { getTwoFactorPolicy, listMembersWithoutTwoFactor, setTwoFactorPolicy } =
  operations.organization;

/** The days until a second factor is required. */
const graceDays = [0, 7, 30];

interface PolicyDialogProps extends PartProps {
  onClose: () => void;
}

const RequireSecondFactor = ({ organization: { id }, onClose }: PolicyDialogProps) => {
  const t = useTranslation("organizations");
  const require = useOperation(setTwoFactorPolicy, {
    done: t("policy.required"),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: { days: "7" },
    change: require,
    onSubmit: ({ days }) =>
      require.mutate({ body: { organizationId: id, required: true, graceDays: Number(days) } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("policy.require")}
      description={t("policy.requireText")}
      action={t("policy.require")}
      onClose={onClose}
    >
      <SelectField
        {...form.field("days")}
        label={t("policy.begins")}
        choices={graceDays.map((count) => ({
          value: String(count),
          label: count === 0 ? t("policy.now") : t("apiKeys:create.days", { count }),
        }))}
      />
    </FormDialog>
  );
};

const StopRequiring = ({ organization: { id }, onClose }: PolicyDialogProps) => {
  const t = useTranslation("organizations");
  const stop = useOperation(setTwoFactorPolicy, { done: t("policy.stopped"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("policy.stop")}
      description={t("policy.stopText")}
      action={t("policy.stop")}
      change={stop}
      onConfirm={() => stop.mutate({ body: { organizationId: id, required: false } })}
      onClose={onClose}
    />
  );
};

/** The members who would have no access, or have none. A page of the server may be empty although others follow. */
const MembersWithoutFactor = ({ organizationId }: { organizationId: string }) => {
  const t = useTranslation("organizations");
  const pages = useInfiniteQuery({
    queryKey: operationKey(listMembersWithoutTwoFactor, { organizationId }),
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        listMembersWithoutTwoFactor,
        { query: { organizationId, limit: "100", ...(cursor && { cursor }) } },
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const members = pages.data?.pages.flatMap((page) => page.members);
  return (
    <Reading<Member[]> of={{ ...pages, data: members }}>
      {(list) => (
        <>
          {list.length === 0 && !pages.hasNextPage && <p>{t("policy.none")}</p>}
          {list.length > 0 && (
            <>
              <h3 className="font-medium">{t("policy.lacking")}</h3>
              <Rows label={t("policy.lacking")}>
                {list.map(({ id, user: { name, email, image } }) => (
                  <Row
                    key={id}
                    mark={<Picture name={name} address={image} />}
                    title={<bdi>{name}</bdi>}
                    details={<bdi>{showEmail(email)}</bdi>}
                  />
                ))}
              </Rows>
            </>
          )}
          {pages.hasNextPage && (
            <div>
              <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                {t("webhooks:deliveries.more")}
              </Button>
            </div>
          )}
        </>
      )}
    </Reading>
  );
};

/** Whether members need a second factor, and who lacks one. */
export const SecondFactorPolicy = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const { id: organizationId } = organization;
  const policy = useQuery(operationQuery(getTwoFactorPolicy, { query: { organizationId } }));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title={t("policy.title")}>
      <Reading of={policy}>
        {({ required, requiredFrom }) => {
          const Dialog = required ? StopRequiring : RequireSecondFactor;
          return (
            <>
              <p className="text-muted">
                {required ? t("policy.on") : t("policy.off")}{" "}
                {requiredFrom && <Moment at={requiredFrom} />}
              </p>
              <div>
                <Button onClick={() => setIsOpen(true)}>
                  {t(required ? "policy.stop" : "policy.require")}
                </Button>
              </div>
              {isOpen && <Dialog organization={organization} onClose={() => setIsOpen(false)} />}
            </>
          );
        }}
      </Reading>
      <MembersWithoutFactor organizationId={organizationId} />
    </Panel>
  );
};
