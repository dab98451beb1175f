import type { Template } from "./template.ts";

/**
 * What a template says of a secret by `Ref` is its ARN, but MiniStack says its name (provisioners.py,
 * _sm_secret_create), which matches no policy. The attribute `Id` is the ARN on both.
 */
export function withSecretArns(template: Template): Template {
  let text = JSON.stringify(template);
  for (const [id, { Type }] of Object.entries(template.Resources)) {
    if (Type === "AWS::SecretsManager::Secret") {
      text = text.replaceAll(JSON.stringify({ Ref: id }), JSON.stringify({ "Fn::GetAtt": [id, "Id"] }));
    }
  }
  return JSON.parse(text);
}
