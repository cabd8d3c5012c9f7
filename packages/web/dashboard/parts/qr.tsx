import { useQuery } from '@tanstack/react-query'

/** A text to be scanned. The program that draws it comes after the page. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => (await import('qrcode')).toString(text, { type: 'svg', margin: 0 }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className="aspect-square w-[176px] max-w-full rounded bg-[#fff] p-2">
      {data && (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(data)}`}
          alt={label}
          className="size-full"
        />
      )}
    </div>
  )
}
