/** The digests of a registry's tags, through `fetch: headgate.fetch`. */
export function registryThrough(fetch: typeof globalThis.fetch, registry = 'https://registry-1.docker.io') {
  const tokens = new Map<string, Promise<string>>()

  async function fetchToken(repository: string): Promise<string> {
    const challenge = (await fetch(`${registry}/v2/`)).headers.get('www-authenticate') ?? ''
    const told = new Map(Array.from(challenge.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]))
    const url = new URL(told.get('realm') ?? '')
    url.searchParams.set('service', told.get('service') ?? '')
    url.searchParams.set('scope', `repository:${repository}:pull`)
    const response = await fetch(url)
    return ((await response.json()) as { token: string }).token
  }

  function tokenFor(repository: string): Promise<string> {
    const token = tokens.get(repository) ?? fetchToken(repository)
    tokens.set(repository, token)
    token.catch(() => tokens.delete(repository))
    return token
  }

  return async function digestOf(repository: string, tag: string, signal: AbortSignal | null = null): Promise<string> {
    const headers = {
      accept: 'application/vnd.oci.image.index.v1+json',
      authorization: `Bearer ${await tokenFor(repository)}`,
    }
    const response = await fetch(`${registry}/v2/${repository}/manifests/${tag}`, { method: 'HEAD', headers, signal })
    if (!response.ok) throw new Error(`${repository}:${tag}: ${response.status}`, { cause: response })
    return response.headers.get('docker-content-digest') ?? ''
  }
}
