package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/internal/output"
)

// manCommand writes the help of every command as a manual page, for who packages pinpoint.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "write manual pages, one a command",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return writeManuals(cmd.Root(), args[0])
		},
	}
}

// writeManuals writes those of a command and what is below it.
func writeManuals(cmd *cobra.Command, dir string) error {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	err := output.Save(filepath.Join(dir, name+".1"), func(w io.Writer) error {
		_, err := io.WriteString(w, manualPage(cmd, name))
		return err
	})
	for _, sub := range cmd.Commands() {
		if err == nil && sub.IsAvailableCommand() {
			err = writeManuals(sub, dir)
		}
	}
	return err
}

// manualPage is a page in the macros of man(7). Texts are set as they are: they are made
// for 80 columns.
func manualPage(cmd *cobra.Command, name string) string {
	var b strings.Builder
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text))
		}
	}
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"pinpoint %s\"\n", roff(strings.ToUpper(name)), roff(version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	section("SYNOPSIS", cmd.UseLine())
	section("DESCRIPTION", cmd.Long)
	section("OPTIONS", cmd.LocalFlags().FlagUsagesWrapped(80))
	section("EXAMPLES", cmd.Example)
	if cmd.HasParent() {
		section("SEE ALSO", strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-")+"(1)")
	}
	return b.String()
}

// roff escapes what troff would obey: backslashes, and dots and quotes where lines begin.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	for _, mark := range []string{".", "'"} {
		text = strings.ReplaceAll("\n"+text, "\n"+mark, "\n\\&"+mark)[1:]
	}
	return text
}
