import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "データ",
  lead: "保存されている情報と、その削除方法です。",
  export: {
    title: "データをダウンロード",
    text: "プロフィール、サインイン方法、セッション、キー、組織を含むファイルです。",
    action: "データをダウンロード",
    fileName: "{{name}} データ",
  },
  delete: {
    title: "アカウントを削除",
    text: "アカウントとその内容がすべて削除されます。この操作は取り消せません。",
    action: "アカウントを削除",
    confirmTitle: "アカウントを削除しますか？",
    mailedTitle: "メールをご確認ください",
    mailedText:
      "{{email}} にリンクをお送りしました。アカウントを削除するには、リンクを開いてください。",
    done: "完了",
  },
};
