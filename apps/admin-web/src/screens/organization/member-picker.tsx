import { showEmail } from "@latchkey/contracts/email-address.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Combobox } from "@latchkey/ui/components/combobox.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useSettled } from "../../components/use-settled.ts";
import { t } from "../../texts.ts";

interface MemberPickerProps {
  organizationId: string;
  value: Choice | null;
  onChange: (member: Choice | null) => void;
}

const limit = "8";

/** Chooses a member of an organization by email, name or id. */
export const MemberPicker = ({ organizationId, value, onChange }: MemberPickerProps) => {
  const [text, setText] = useState("");
  const searchText = useSettled(text.trim());
  const { data, isError, isFetching } = useQuery({
    ...operationQuery(operations.organization.adminListOrganizationMembers, {
      params: { id: organizationId },
      // The text of a choice is no search.
      query: {
        limit,
        ...(searchText && searchText !== value?.label && { searchValue: searchText }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const emptyText = isFetching ? t("pickers.searching") : t("ui.noResults");
  return (
    <Combobox
      value={value}
      onChange={onChange}
      choices={(data?.members ?? []).map(({ id, user }) => ({
        value: id,
        label: showEmail(user.email),
      }))}
      onSearch={setText}
      placeholder={t("members.pickerHint")}
      emptyText={isError ? t("pickers.failed") : emptyText}
    />
  );
};
