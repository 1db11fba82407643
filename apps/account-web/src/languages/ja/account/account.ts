import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "アカウント",
  menu: "メニュー",
  skip: "本文に移動",
  signOut: "サインアウト",
  close: "閉じる",
  dismiss: "閉じる",
  copied: "コピーしました",
  copyFailed: "ブラウザーによってコピーがブロックされました。手動でコピーしてください。",
  secret: {
    keep: "今すぐコピーして、安全な場所に保管してください。再び表示することはできません。",
    lost: "まだコピーしていません。再び表示することはできません。破棄するには、もう一度閉じてください。",
    copy: "コピー",
    done: "完了",
  },
  yourPassword: "パスワード",
  screens: {
    profile: "プロフィール",
    security: "セキュリティ",
    sessions: "セッション",
    apiKeys: "API キー",
    organizations: "組織",
    data: "データ",
  },
  theme: { label: "テーマ", system: "システムのテーマ", light: "ライト", dark: "ダーク" },
  stepUp: {
    title: "ご本人確認",
    text: "この変更には、最近のサインインが必要です。",
    passkey: "パスキーを使用",
    noPassword:
      "パスワードがない場合は、サインアウトしてからもう一度サインインしてください。このページに戻ります。",
  },
};
