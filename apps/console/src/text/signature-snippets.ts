/** By language: how a receiver verifies a message's signature (Standard Webhooks), without a library. */
export const signatureSnippets = {
  'Node.js': `import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 5 * 60;

// headers: by lower-case name. body: the bytes as they came, before anything parses them.
export function isAuthentic(secret, headers, body) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(id + '.' + timestamp + '.').update(body).digest();
  // There are two signatures while the secret is being replaced.
  return (headers['webhook-signature'] ?? '').split(' ').some((part) => {
    const [version, signature = ''] = part.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`,
  Python: `import base64
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 5 * 60


# headers: by lower-case name. body: the bytes as they came, before anything parses them.
def is_authentic(secret: str, headers: dict, body: bytes) -> bool:
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # There are two signatures while the secret is being replaced.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), f"v1,{digest}".encode()) for one in signatures)
`,
  PHP: `<?php

const TOLERANCE_SECONDS = 5 * 60;

// $headers: by lower-case name. $body: the bytes as they came, such as file_get_contents('php://input').
function is_authentic(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $digest = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // There are two signatures while the secret is being replaced.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals("v1,$digest", $signature)) {
            return true;
        }
    }
    return false;
}
`,
  Go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 5 * 60

// IsAuthentic verifies a message. body: the bytes as they came, before anything parses them.
func IsAuthentic(secret string, headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - sentAt; err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// There are two signatures while the secret is being replaced.
	for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}
`,
} as const;

export type SnippetLanguage = keyof typeof signatureSnippets;

export const snippetLanguages = [
  'Node.js',
  'Python',
  'PHP',
  'Go',
] as const satisfies readonly SnippetLanguage[];
