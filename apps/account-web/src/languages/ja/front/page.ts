import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "言語",
  terms: "利用規約",
  privacy: "プライバシー",
  support: "サポート",
  or: "または",
  back: "戻る",
  cancel: "キャンセル",
  retry: "再試行",
  continue: "続ける",
  goToApplication: "{{name}} に移動",
  loading: "読み込み中",
  offline: "オフラインです。接続が回復すると、このページは再開します。",
  showPassword: "パスワードを表示",
  hidePassword: "パスワードを非表示",
};
