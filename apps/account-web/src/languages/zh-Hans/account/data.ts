import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "您的数据",
  lead: "我们存储了您的哪些信息，以及如何删除。",
  export: {
    title: "下载您的数据",
    text: "一个包含您的个人资料、登录方式、会话、密钥和组织的文件。",
    action: "下载数据",
    fileName: "{{name}} 数据",
  },
  delete: {
    title: "删除账户",
    text: "您的账户及其所有内容都将被删除。此操作无法撤销。",
    action: "删除账户",
    confirmTitle: "删除您的账户？",
    mailedTitle: "请查看收件箱",
    mailedText: "我们已向 {{email}} 发送链接。请打开链接以删除您的账户。",
    done: "完成",
  },
};
